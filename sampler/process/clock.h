/* Times. */
#pragma once

#include <stdint.h>
#include <time.h>

#define SAMPLER_SECOND_NS INT64_C(1000000000)

static inline int64_t sampler_clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * SAMPLER_SECOND_NS + now.tv_nsec;
}

static inline int64_t sampler_now_ns(void)
{
    return sampler_clock_ns(CLOCK_MONOTONIC);
}
