/* How long the thread that runs perl waited for a processor while others ran, as the system counts it. */
#pragma once

#include "basics/clock.h"

#include <pthread.h>

typedef struct prof_cpu_wait {
    pthread_t thread;  /* the count is that of this thread */
    uint64_t count_ns; /* at the last reading ... */
    uint64_t read_at;  /* ... and the clock's count then */
    uint64_t off_at;   /* clock's count at which recording was switched off; 0 if it is on */
    uint64_t off;      /* clock's counts since the last reading in which recording was off */
    double sum_s;      /* while recording was on */
    bool moves;        /* the next reading is in the thread whose count it is */
    bool counts;       /* false: the system does not count it, or not here */
    bool known;        /* sum_s is that of an interval at least */
} prof_cpu_wait;

/* Begins with a sum of 0. now: the clock's count, as in the others. */
void prof_cpu_wait_begin(prof_cpu_wait *wait, uint64_t now);

/* Call them when recording is switched off and on. */
void prof_cpu_wait_pause(prof_cpu_wait *wait, uint64_t now);
void prof_cpu_wait_resume(prof_cpu_wait *wait, uint64_t now);

/* Call it if another thread will run perl: what the calling one waited does not count. */
void prof_cpu_wait_move(prof_cpu_wait *wait);

/* Whether the last reading was 0.3 s ago, or that of another thread. */
bool prof_cpu_wait_is_due(const prof_cpu_wait *wait, const prof_clock *clock, uint64_t now);

/* Adds to the sum what the calling thread waited since the last reading, if that was in the same thread; of an
 * interval in which recording was off for a while, the same share. Takes some 10 us, since it reads a file of
 * /proc. */
void prof_cpu_wait_read(prof_cpu_wait *wait, uint64_t now);
