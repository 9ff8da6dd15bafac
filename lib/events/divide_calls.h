/* How the ends of intervals (within.h) divide calls. How much of a call's own time is before an end within it
 * follows from the times of the calls that it made before that end: of those that had returned, which are
 * noted as the clock passes the end, and of the one that contains it.
 */
#pragma once

#include "events/clock.h"
#include "format/runs.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Intervals of time, by their ends: begin and end of the first one, of the second one, and so on, in order.
 * An interval does not have its begin, and has its end. */

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

/* Calls of one depth that have returned, and wait for the return of their caller: the levels of a clock. */
typedef struct nytp_divided_level {
    nytp_clock_level clock;
    double ticks;   /* their time */
    GArray *before; /* of that, by the ends that their caller contains; NULL if it never had any */
    guint ends;     /* how many ends were before the last one's end: the next one contains none of them */
    bool is_passed; /* some of the calls were */
} nytp_divided_level;

/* Adds time to that before the end with that index. *all is NULL if there never was any. */
void nytp_before_end_add(GArray **all, guint end, double ticks);

/* Returns the time before an end; 0 if there is none. *i is where that of an earlier end was, at first 0. */
double nytp_before_end(const GArray *all, guint end, guint *i);

/* Frees its members. */
static inline void nytp_divided_level_clear(void *level)
{
    GArray *before = ((nytp_divided_level *)level)->before;
    if (before != NULL)
        g_array_free(before, TRUE);
}

/* The clock passes the end with that index. */
void nytp_divided_pass_end(const nytp_levels *levels, guint end);

/* Returns the level at that depth. A call of a new one began after the calls that wait at those above it. */
static inline nytp_divided_level *nytp_divided_level_at(nytp_levels *levels, uint32_t depth)
{
    const nytp_divided_level *last = nytp_levels_last(levels);
    const guint ends = last != NULL ? last->ends : 0;
    nytp_divided_level *here = nytp_levels_at(levels, depth);
    here->ends = ends;
    return here;
}

typedef struct nytp_divided_call {
    double begin_ticks;
    guint begin, end; /* how many ends were before its begin and its end */
} nytp_divided_call;

/* Leaves a call that returns, whose times are those in *left, what is within the intervals. counts: it is a
 * part if it does not count there. callees: those that it made; here: the level of the call. */
void nytp_divide_call(const GArray *ends, const nytp_divided_call *call, bool counts,
                      const nytp_divided_level *callees, nytp_divided_level *here, nytp_return *left);
