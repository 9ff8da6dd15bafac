/* Profiles made of samples. Their numbers of calls and statements are not real ones. The attribute
 * sampled_hz, which nytp-record writes, says how many samples were taken in a second. */
#ifndef NYTP_MODEL_SAMPLED_H
#define NYTP_MODEL_SAMPLED_H

#include "base/str.h"
#include "nytprof.h"

#include <math.h>

/* Returns how many samples were taken in a second; 0: the profile is not made of samples. */
double nytp_profile_sampled_hz(const nytp_profile *profile);

/* The value of the attribute; 0 if it makes no sense. */
static inline double nytp_sampled_hz(const nytp_str *value)
{
    double hz = nytp_str_number(*value);
    return hz > 0 && hz < 1e9 ? hz : 0;
}

/* Returns how many samples a time stands for. */
static inline uint64_t nytp_samples_of(double ticks, double sampled_hz, double ticks_per_sec)
{
    double samples = round(ticks * sampled_hz / ticks_per_sec);
    return samples > 0 && samples < 0x1p63 ? (uint64_t)samples : 0;
}

#endif
