/* Times. */
#pragma once

#include "base/time_ns.h"

#define SAMPLER_SECOND_NS INT64_C(1000000000)

static inline int64_t sampler_clock_ns(clockid_t clock)
{
    return nytp_time_ns(clock);
}

static inline int64_t sampler_now_ns(void)
{
    return sampler_clock_ns(CLOCK_MONOTONIC);
}
