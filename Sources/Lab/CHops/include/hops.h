#ifndef PARLEY_HOPS_H
#define PARLEY_HOPS_H

#include <stdint.h>

// What a library that is loaded into other programs (LD_PRELOAD) notes of their system calls: which thread waited, read
// and wrote, and when. The programs themselves know nothing of it. `parley-lab bench hops` reads it.

// The folder in which each process keeps its notes, in a file named by its process id and the number of the program
// that it runs. Without it nothing is noted.
#define HOPS_FOLDER "HOPS_FOLDER"

// The most programs that one process runs, one after another.
#define HOPS_PROGRAMS 8

enum hops_call {
    HOPS_WAIT = 1,   // epoll_wait, poll: until something is ready
    HOPS_READ = 2,   // read, recv: from a socket, a pipe or a signal of another thread
    HOPS_WRITE = 3,  // write, send: the same
    HOPS_SYNC = 4,   // fdatasync, fsync: until the disk has it
};

struct hops_record {
    // CLOCK_MONOTONIC in nanoseconds: one clock for all processes.
    uint64_t began;
    uint64_t ended;
    uint32_t thread;
    uint16_t call;
    uint16_t failed;
    // Of HOPS_WAIT: -1.
    int32_t descriptor;
    // Of HOPS_WAIT how many are ready, otherwise how many bytes; 0 if it failed.
    int32_t result;
};

// A power of two. The oldest records give way.
#define HOPS_RECORDS (1u << 16)

struct hops_ring {
    // How many records there ever were. One that was counted may not be written yet.
    uint64_t count;
    uint64_t reserved[3];
    struct hops_record records[HOPS_RECORDS];
};

uint64_t hops_now(void);

#endif
