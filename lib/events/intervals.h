/* Intervals of time, by their ends: begin and end of the first one, of the second one, and so on, in order.
 * An interval does not have its begin, and has its end. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* When an end was, in ticks since the process began, and how many calls went on there. */
typedef struct nytp_instant {
    double ticks;
    uint32_t depth;
} nytp_instant;

/* Returns an end, which is there. */
static inline double nytp_end_at(const GArray *ends, guint i)
{
    return g_array_index(ends, double, i);
}

/* Returns how many of the ends (double) are before a time: an odd number if the time is in an interval. */
guint nytp_ends_before(const GArray *ends, double time);

bool nytp_is_within(const GArray *ends, double time);

/* Makes the ends that are not before a time so much earlier, but none of them earlier than that time. */
void nytp_ends_move(GArray *ends, double time, double ticks);

/* Returns how many of the instants (nytp_instant) are at a time or before it. */
guint nytp_instants_to(const GArray *instants, double ticks);

/* Returns how much of a stretch of time is within intervals; negative if it ends before it begins. */
double nytp_ticks_within(const GArray *ends, double begin, double end);
