/* Clocks of the system. */
#pragma once

#include <stdint.h>
#include <time.h>

/* Returns what a clock says, in ns. */
static inline int64_t nytp_time_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline double nytp_time_s(clockid_t clock)
{
    return (double)nytp_time_ns(clock) / 1e9;
}
