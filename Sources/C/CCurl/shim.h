#pragma once
#include <curl/curl.h>

// What takes a variable number of arguments in C, for Swift, which has none.

typedef size_t (*parley_curl_data)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode parley_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode parley_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode parley_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode parley_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode parley_curl_set_function(CURL *handle, CURLoption option, parley_curl_data value) {
    return curl_easy_setopt(handle, option, value);
}
static inline long parley_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
static inline curl_off_t parley_curl_length(CURL *handle) {
    curl_off_t length = -1;
    curl_easy_getinfo(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    return length;
}
