// The functions below take the place of the C library's in the program that this is linked into.
#define _GNU_SOURCE
#include "counters.h"

#include <errno.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_bool counting;
static atomic_uint_fast64_t allocations, statements, bytes_written;

static void count(atomic_uint_fast64_t *counter, uint64_t more) {
    if (atomic_load_explicit(&counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
    }
}

static int began(unsigned kind, void *context, void *statement, void *text) {
    (void)kind, (void)context, (void)statement, (void)text;
    count(&statements, 1);
    return 0;
}

static int opened(sqlite3 *database, const char **error, const struct sqlite3_api_routines *api) {
    (void)error, (void)api;
    return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, began, NULL);
}

int counters_prepare(void) { return sqlite3_auto_extension((void (*)(void))opened); }

void counters_start(void) {
    atomic_store(&allocations, 0);
    atomic_store(&statements, 0);
    atomic_store(&bytes_written, 0);
    atomic_store(&counting, 1);
}

struct counters counters_stop(void) {
    atomic_store(&counting, 0);
    return (struct counters){atomic_load(&allocations), atomic_load(&statements), atomic_load(&bytes_written)};
}

#if defined(__linux__) && defined(__GLIBC__)

static bool is_log(int file) {
    static const char suffix[] = "-wal";
    const ssize_t suffix_length = sizeof(suffix) - 1;
    char link[32], path[PATH_MAX];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof(path));
    return length >= suffix_length && memcmp(path + length - suffix_length, suffix, suffix_length) == 0;
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    ssize_t written = syscall(SYS_pwrite64, file, bytes, length, offset);
    if (written > 0 && atomic_load_explicit(&counting, memory_order_relaxed) && is_log(file)) {
        count(&bytes_written, (uint64_t)written);
    }
    return written;
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    count(&allocations, 1);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(&allocations, 1);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count(&allocations, 1);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count(&allocations, 1);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *made = memalign(alignment, size);
    if (made == NULL) return ENOMEM;
    *memory = made;
    return 0;
}

#endif
#endif
