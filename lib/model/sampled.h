/* Profiles made of samples. The attribute sampled_hz, which nytp-record writes, says how many were to be
 * taken in a second.
 *
 * Each sample is a statement of the profile: the number of statements, of the profile or of a line, is that
 * of its samples. Call trees count the samples of each stack (nytp_calltree_set_sampled()). Arcs do not count
 * any, so the samples of a sub or an arc are its share of the profile's. A sample stands for the time since
 * the one before it, which is seldom exactly that of the rate. */
#ifndef NYTP_MODEL_SAMPLED_H
#define NYTP_MODEL_SAMPLED_H

#include "base/str.h"
#include "nytprof.h"

#include <glib.h>
#include <math.h>

/* Returns how many samples were taken in a second; 0: the profile is not made of samples. */
double nytp_profile_sampled_hz(const nytp_profile *profile);

/* Has the reader deliver what is needed to count samples. Call it when the attribute has been read. */
void nytp_want_samples(nytp_reader *reader);

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

/* The samples of the calls that go on, going by SUB_ENTRY and SUB_RETURN. */
typedef struct nytp_open_samples {
    uint32_t depth;   /* how many calls go on */
    GArray *by_depth; /* uint64_t: those of the call itself, without its callees'; 0: outside of all calls */
} nytp_open_samples;

void nytp_open_samples_init(nytp_open_samples *samples);
void nytp_open_samples_clear(nytp_open_samples *samples);
void nytp_open_samples_reset(nytp_open_samples *samples); /* a process begins */
void nytp_open_samples_enter(nytp_open_samples *samples);
void nytp_open_samples_add(nytp_open_samples *samples, uint64_t count);

/* The call at depth, counted from 1, returns: returns its samples. Deeper calls have not returned: theirs are
 * dropped. */
uint64_t nytp_open_samples_leave(nytp_open_samples *samples, uint32_t depth);

#endif
