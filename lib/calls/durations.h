/* How long the calls of each sub took. A histogram of durations (nytp_distribution); the histograms of all
 * subs, which a sink of events fills (nytp_durations): of inclusive times, and of spans those of latencies;
 * and the same by the subs of a profile (nytp_sub_durations).
 *
 * Profiles made of samples do not have times of calls, and parts of calls (their count is 0) are not whole,
 * so neither is added; a request is added as a whole, when it has ended. Times are ticks of the first
 * profile.
 *
 * The first call of a sub in a process is the one that began first. Of calls within each other, that is the
 * outermost, which returns last.
 *
 * A call that went on when its process was forked has all calls of the child in it, but for its callers.
 */
#pragma once

#include "events/events.h"
#include "model/names.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* How long calls took: their number by duration, from which quantiles are found.
 *
 * It is a log-linear histogram: powers of two, each in 16 or 64 equal parts, but none of less than a tick. So
 * its size depends on how much durations differ, not on how many they are. Of durations in whole ticks, a
 * quantile is at most 3.2 % or 0.8 % too long or too short; of others, half a tick more. The longest duration
 * and the first are exact.
 */

/* Parts of a power of two, as a power of two. */
enum nytp_distribution_parts { NYTP_16_PARTS = 4, NYTP_64_PARTS = 6 };

typedef struct nytp_distribution {
    /* The block that counted last, and its number, which is the exponent of its durations. NYTP_NO_BLOCK if
     * the longest duration belongs to it, since the next call may be longer, and if it has other parts than
     * 16. */
    uint64_t *recent_counts;
    uint64_t recent_number;
    GArray *blocks; /* nytp_distribution_block, by number; NULL before the second call */
    double longest_ticks;
    double first_ticks;     /* the longest of the first calls of all processes */
    double sum_first_ticks; /* of these calls */
    uint32_t first_count;   /* and how many they are */
    uint8_t parts;          /* enum nytp_distribution_parts */
    bool is_around;         /* one of the calls has all other calls of its process in it */
    uint64_t only_part;     /* of the only call, which needs no block, and 1; else 0 */
} nytp_distribution;        /* an array of them is faster since their size is a power of two */

#define NYTP_NO_BLOCK UINT64_MAX

enum { NYTP_BLOCK_COUNTS = 16 };

void nytp_distribution_init(nytp_distribution *distribution, enum nytp_distribution_parts parts);
void nytp_distribution_clear(nytp_distribution *distribution);

enum { NYTP_FRACTION_BITS = 52 };

/* Returns the number of the part to which a duration belongs. The bits of a double are its exponent and then
 * its fraction, so the upper ones number parts of powers of two in their order. With as many ticks more as
 * there are parts, the first part is one tick, and its number is less than those of longer durations. */
static inline uint64_t nytp_duration_part(double ticks, unsigned parts)
{
    const double more = ticks + (double)(1u << parts);
    uint64_t bits;
    memcpy(&bits, &more, sizeof bits);
    return bits >> (NYTP_FRACTION_BITS - parts);
}

static inline bool nytp_distribution_is_empty(const nytp_distribution *distribution)
{
    return distribution->blocks == NULL && distribution->only_part == 0;
}

/* Adds a call if it belongs to the block that counted last; returns whether it does. */
static inline bool nytp_distribution_add_recent(nytp_distribution *distribution, double ticks)
{
    const uint64_t part = nytp_duration_part(ticks, NYTP_16_PARTS);
    if (part / NYTP_BLOCK_COUNTS != distribution->recent_number)
        return false;
    distribution->recent_counts[part % NYTP_BLOCK_COUNTS]++;
    return true;
}

/* Adds a call. What is not a number, or below 0, counts as 0. */
void nytp_distribution_add(nytp_distribution *distribution, double ticks);

/* The next call is not added by nytp_distribution_add_recent(). */
static inline void nytp_distribution_forget_recent(nytp_distribution *distribution)
{
    distribution->recent_number = NYTP_NO_BLOCK;
}

/* Adds the calls of another one. The sum has the fewer parts of both. */
void nytp_distribution_add_all(nytp_distribution *distribution, const nytp_distribution *other);

/* Returns how many calls were added. */
uint64_t nytp_distribution_count(const nytp_distribution *distribution);

/* Returns the duration that the fraction (0 to 1) of the calls do not exceed: 0.5 is the median, 1 is the
 * longest. Returns -1 if there are none. */
double nytp_distribution_quantile(const nytp_distribution *distribution, double fraction);

/* What is shown of a distribution. */
enum nytp_duration { NYTP_P50, NYTP_P95, NYTP_P99, NYTP_LONGEST, NYTP_FIRST, NYTP_DURATIONS };

/* Returns one of them in ticks; -1 if there are no calls. */
double nytp_distribution_get(const nytp_distribution *distribution, enum nytp_duration duration);

/* Calls that took from from_ticks on and less than to_ticks. */
typedef struct nytp_duration_range {
    double from_ticks, to_ticks;
    uint64_t calls;
} nytp_duration_range;

/* Sets *range to the next one that has calls, and *at, which begins at 0, to a later one. Returns false at
 * the end. */
bool nytp_distribution_next(const nytp_distribution *distribution, uint64_t *at, nytp_duration_range *range);

/* Returns an array of nytp_distribution without calls, which can be added to by nytp_distribution_add_all()
 * alone. The caller must free it by g_array_unref(). */
GArray *nytp_distributions_new(guint count);

typedef struct nytp_durations {
    nytp_names *names;
    const nytp_events *events; /* of which it is a sink; NULL if another sink passes calls on */
    nytp_distribution *of;     /* by number of the sub's name */
    size_t count, capacity;
    GArray *firsts;       /* by number of the name: what is known of its first call in this process */
    GArray *first_depths; /* see durations.c */
    uint64_t first_count; /* of all calls that were the first of their sub in this process */
    uint32_t deepest;     /* the last of first_depths; 0 if none; UINT32_MAX: around must see the next call */
    GArray *around;       /* uint32_t: subs whose call has all calls of this process, so far, in it */
    uint32_t least_depth; /* of a call of this process; UINT32_MAX: none has returned */
    double ticks_per_sec; /* of the first profile; 0 if none has begun */
    double scale;         /* from the current profile's ticks to these */
} nytp_durations;

/* names are those of the events whose calls are added. They stay the caller's. */
nytp_durations *nytp_durations_new(nytp_names *names);
void nytp_durations_free(nytp_durations *durations); /* NULL is fine */

/* Makes it a sink of events. It must live as long as they are read. */
void nytp_durations_take(nytp_durations *durations, nytp_events *events);

/* Slow path of nytp_durations_add(). */
void nytp_durations_add_elsewhere(nytp_durations *durations, uint32_t sub, uint32_t depth, double ticks);

/* Adds a call that is whole, of a profile that is not made of samples. ticks are those of the profile. */
static inline void nytp_durations_add(nytp_durations *durations, uint32_t sub, uint32_t depth, double ticks)
{
    if (sub >= durations->count || depth < durations->deepest ||
        !nytp_distribution_add_recent(&durations->of[sub], ticks * durations->scale))
        nytp_durations_add_elsewhere(durations, sub, depth, ticks);
}

/* Returns the rate of its times. */
double nytp_durations_ticks_per_sec(const nytp_durations *durations);

/* How long the calls of a profile's subs took. */
typedef struct nytp_sub_durations {
    GArray *of; /* nytp_distribution, by number of the sub in the profile */
    double ticks_per_sec;
} nytp_sub_durations;

/* Return those of a profile whose calls durations has, by names as they were before evals are merged. The
 * second function merges the profile's evals. The caller must call nytp_sub_durations_clear(). */
nytp_sub_durations nytp_durations_by_sub(const nytp_durations *durations, const nytp_profile *profile);
nytp_sub_durations nytp_durations_merge_evals(const nytp_durations *durations, nytp_profile *profile);

/* Gives subs the numbers that nytp_profile_move_evals() has returned for the profile. */
void nytp_sub_durations_move(nytp_sub_durations *durations, const nytp_profile *profile,
                             const uint32_t *moved);
void nytp_sub_durations_clear(nytp_sub_durations *durations);

static inline const nytp_distribution *nytp_sub_durations_of(const nytp_sub_durations *durations,
                                                             uint32_t sub)
{
    return &g_array_index(durations->of, nytp_distribution, sub);
}

/* Returns the distribution of a sub, which belongs to durations, or NULL if it has no calls. */
const nytp_distribution *nytp_durations_of(const nytp_durations *durations, uint32_t sub);
