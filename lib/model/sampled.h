/* Whether a profile is made of samples: see measure.h. */
#pragma once

#include "model/measure.h"

/* Returns how many samples were taken in a second, or 0 if the profile is not made of samples. */
static inline double nytp_profile_sampled_hz(const nytp_profile *profile)
{
    return nytp_profile_measure(profile).samples_per_base;
}

/* The value of the attribute; 0 if it makes no sense. */
static inline double nytp_sampled_hz(const nytp_str *value)
{
    double hz = nytp_str_number(*value);
    return hz > 0 && hz < 1e9 ? hz : 0;
}
