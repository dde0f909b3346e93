#ifndef PARLEY_COUNTERS_H
#define PARLEY_COUNTERS_H

#include <stdint.h>

// What this process does, in all its threads: counts that do not depend on how fast or busy the machine is.
struct counters {
    // Calls of malloc, calloc, realloc and the aligned ones. 0 with the address and thread sanitizers.
    uint64_t allocations;
    // Statements of SQLite that began.
    uint64_t statements;
    // Bytes that SQLite wrote to its write-ahead logs. When it carries them over into the database differs from run to
    // run, as that waits for readers.
    uint64_t bytes_written;
};

// Lets every database that is opened from now on count its statements. Returns 0, or an error code of SQLite.
int counters_prepare(void);

// Counts from 0 until counters_stop.
void counters_start(void);
struct counters counters_stop(void);

#endif
