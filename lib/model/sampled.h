/* Profiles made of samples. The attribute sampled_hz, which nytp-record writes, says how many were to be
 * taken in a second.
 *
 * Each sample is a statement of the profile: the number of statements, of the profile or of a line, is that
 * of its samples. Call trees count the samples of each stack (nytp_calltree_set_sampled()). Arcs do not count
 * any, so the samples of a sub or an arc are its share of the profile's. A sample stands for the time since
 * the one before it, which is seldom exactly that of the rate. */
#pragma once

#include "base/str.h"
#include "nytprof-model.h"

#include <math.h>

/* Returns how many samples were taken in a second, or 0 if the profile is not made of samples. */
double nytp_profile_sampled_hz(const nytp_profile *profile);

/* The value of the attribute; 0 if it makes no sense. */
static inline double nytp_sampled_hz(const nytp_str *value)
{
    double hz = nytp_str_number(*value);
    return hz > 0 && hz < 1e9 ? hz : 0;
}

/* Returns the share of the profile's samples that a time has, given the statements of the profile and their
 * time. */
static inline uint64_t nytp_samples_of(double ticks, const nytp_totals *totals)
{
    double samples = round(ticks * (double)totals->statements / (double)totals->statement_ticks);
    return samples > 0 && samples < 0x1p63 ? (uint64_t)samples : 0;
}

/* Returns how many decimals a time of samples has, in a unit of which a second has per_s. */
static inline int nytp_sampled_decimals(double sampled_hz, double per_s)
{
    return (int)fmax(0, ceil(log10(sampled_hz / per_s)));
}
