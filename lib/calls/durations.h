/* How long the calls of each sub took: the distributions of their inclusive times, and of spans those of
 * their latencies. A sink of events.
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

#include "calls/distribution.h"
#include "events/events.h"
#include "model/names.h"

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

/* What a sink calls that passes its events on, which needs the clock. */
void nytp_durations_begin_process(nytp_durations *durations, const nytp_events *events);
void nytp_durations_add_call(nytp_durations *durations, const nytp_events *events,
                             const nytp_call_event *call);

void nytp_durations_add_request(nytp_durations *durations, const nytp_request *request);

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
