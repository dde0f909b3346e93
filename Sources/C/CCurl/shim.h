#pragma once
#include <curl/curl.h>

// What takes a variable number of arguments in C, for Swift, which has none.

typedef size_t (*parley_curl_data)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*parley_curl_open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*parley_curl_socket)(CURL *handle, curl_socket_t socket, int what, void *context, void *of_socket);
typedef int (*parley_curl_timer)(CURLM *handle, long milliseconds, void *context);
typedef int (*parley_curl_progress)(
    void *context, curl_off_t toGet, curl_off_t got, curl_off_t toSend, curl_off_t sent);

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
static inline CURLcode parley_curl_set_open(CURL *handle, parley_curl_open value) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode parley_curl_set_progress(CURL *handle, parley_curl_progress value) {
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}
static inline long parley_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
/// The major version of HTTP in which the reply came.
static inline long parley_curl_version(CURL *handle) {
    long version = 0;
    curl_easy_getinfo(handle, CURLINFO_HTTP_VERSION, &version);
    return version == CURL_HTTP_VERSION_2_0 ? 2 : 1;
}
static inline long parley_curl_local_port(CURL *handle) {
    long port = 0;
    curl_easy_getinfo(handle, CURLINFO_LOCAL_PORT, &port);
    return port;
}
/// CURL_SOCKET_BAD if it has none.
static inline curl_socket_t parley_curl_connection(CURL *handle) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket);
    return socket;
}
/// - connections, perHost: 0 is no limit.
static inline void parley_curl_multi_set(
    CURLM *handle, void *context, parley_curl_socket socket, parley_curl_timer timer, long connections, long perHost,
    long streams) {
    curl_multi_setopt(handle, CURLMOPT_SOCKETDATA, context);
    curl_multi_setopt(handle, CURLMOPT_SOCKETFUNCTION, socket);
    curl_multi_setopt(handle, CURLMOPT_TIMERDATA, context);
    curl_multi_setopt(handle, CURLMOPT_TIMERFUNCTION, timer);
    curl_multi_setopt(handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
    curl_multi_setopt(handle, CURLMOPT_MAX_HOST_CONNECTIONS, perHost);
    curl_multi_setopt(handle, CURLMOPT_MAX_CONCURRENT_STREAMS, streams);
    curl_multi_setopt(handle, CURLMOPT_MAXCONNECTS, connections);
}
/// The next transfer that has ended, with its result; null if there is none.
static inline CURL *parley_curl_multi_ended(CURLM *handle, CURLcode *result) {
    int left = 0;
    for (CURLMsg *message; (message = curl_multi_info_read(handle, &left));) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
