/* What the process that sends has done so far, in memory that nytp-record shares with it. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>

typedef struct record_push_status {
    _Atomic uint64_t batches; /* that it has taken */
    _Atomic uint64_t sent, waiting, dropped, dropped_samples;
    _Atomic uint64_t cpu_us; /* processor time of it and of the programs that it ran */
} record_push_status;

/* Returns the processor time of this process, or with RUSAGE_CHILDREN that of programs that it has run. */
static inline uint64_t record_push_cpu_us(int who)
{
    const uint64_t second_us = 1000000;
    struct rusage used;
    getrusage(who, &used);
    return ((uint64_t)used.ru_utime.tv_sec + (uint64_t)used.ru_stime.tv_sec) * second_us +
           (uint64_t)used.ru_utime.tv_usec + (uint64_t)used.ru_stime.tv_usec;
}
