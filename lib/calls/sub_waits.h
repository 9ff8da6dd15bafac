/* How long subs were asleep, and queued for a processor, themselves (events/waited.h): sums of their calls.
 */
#pragma once

#include "events/events.h"

typedef struct nytp_sub_waits nytp_sub_waits;

/* In seconds; of a sub itself. */
typedef struct nytp_sub_wait {
    double asleep_s, queued_s;
} nytp_sub_wait;

static inline nytp_sub_wait nytp_sub_wait_of(nytp_waited own, double ticks_per_sec)
{
    return (nytp_sub_wait){own.asleep_ticks / ticks_per_sec, own.queued_ticks / ticks_per_sec};
}

static inline void nytp_sub_wait_add(nytp_sub_wait *sum, nytp_sub_wait more)
{
    sum->asleep_s += more.asleep_s;
    sum->queued_s += more.queued_s;
}

/* names are those of the events whose calls are added. They stay the caller's. */
nytp_sub_waits *nytp_sub_waits_new(nytp_names *names);
void nytp_sub_waits_free(nytp_sub_waits *waits); /* NULL is fine */

/* Takes the calls of these events from here on. */
void nytp_sub_waits_take(nytp_sub_waits *waits, nytp_events *events);

/* Returns whether there were calls, and whether it was measured in all of them how long they waited;
 * otherwise those that wait by their names were asleep, and how long they were queued is not known. */
bool nytp_sub_waits_are_known(const nytp_sub_waits *waits);
bool nytp_sub_waits_are_measured(const nytp_sub_waits *waits);

/* How many names have been seen to wait, at least, and those of the sub with that number of a name. */
uint32_t nytp_sub_waits_count(const nytp_sub_waits *waits);
nytp_sub_wait nytp_sub_waits_of(const nytp_sub_waits *waits, uint32_t name);

/* Return an array of nytp_sub_wait by number of the sub in the profile, which the caller must free by
 * g_array_unref(): by the names that subs have before evals are merged; and with the numbers that
 * nytp_profile_move_evals() has returned, in place of it. */
GArray *nytp_sub_waits_by_sub(const nytp_sub_waits *waits, const nytp_profile *profile);
GArray *nytp_sub_waits_moved(GArray *by_sub, const nytp_profile *profile, const uint32_t *moved);
