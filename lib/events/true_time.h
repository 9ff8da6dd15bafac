/* When: how much time had passed since a process began, given its clock (clock.h).
 *
 * The clock has what was counted. Marks in the stream (clock=, doc/format.md) say how much time had passed at
 * their places. Between two of them, time that was not counted passes evenly, but for what a mark says to
 * have passed at its place. After the last one, and if there is none, all time was counted.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef struct nytp_true_time {
    GArray *knots; /* NULL before the first mark of all */
} nytp_true_time;

void nytp_true_time_clear(nytp_true_time *time);

/* A process begins. */
void nytp_true_time_reset(nytp_true_time *time);

/* Returns whether there was a mark in the process. */
static inline bool nytp_true_time_has_marks(const nytp_true_time *time)
{
    return time->knots != NULL && time->knots->len > 0;
}

/* Adds a mark. All are ticks since the process began: what its clock says, and how much time has passed, of
 * which idle_ticks passed at this place. If the clock has gone back, as when --no-wait takes from a statement
 * what earlier ones have waited, marks at later clocks are forgotten. Time never goes back: marks of damaged
 * profiles are moved. */
void nytp_true_time_add(nytp_true_time *time, double clock_ticks, double true_ticks, double idle_ticks);

/* Returns how much time passed at the place of the last mark; 0 if there is none. */
double nytp_true_time_idle(const nytp_true_time *time);

/* Return how much time had passed when the clock said so; at the place of a mark before or after what passed
 * there. Memory is limited: among marks of long ago some are forgotten. */
double nytp_true_time_before(const nytp_true_time *time, double clock_ticks);
double nytp_true_time_after(const nytp_true_time *time, double clock_ticks);
