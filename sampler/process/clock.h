/* Times. */
#pragma once

#include "base/time_ns.h"

#define SAMPLER_SECOND_NS INT64_C(1000000000)

static inline int64_t sampler_now_ns(void)
{
    return nytp_time_ns(CLOCK_MONOTONIC);
}
