/* Times. */
#ifndef RECORD_CLOCK_H
#define RECORD_CLOCK_H

#include <stdint.h>
#include <time.h>

#define RECORD_SECOND_NS INT64_C(1000000000)

static inline int64_t record_clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * RECORD_SECOND_NS + now.tv_nsec;
}

static inline int64_t record_now_ns(void)
{
    return record_clock_ns(CLOCK_MONOTONIC);
}

#endif
