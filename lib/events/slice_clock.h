/* The clock of what a range or spans leave of a process (within.h): when it begins, and the marks that say
 * how much time has passed between its intervals, and within them without being counted.
 */
#pragma once

#include "events/requests.h"
#include "events/within.h"

/* Returns the time of day of an end; time_s if there is none, or it is before or after all times. */
double nytp_slice_time_of_end(const nytp_within *within, guint end, double time_s);

/* The clock passes the begin of an interval. */
void nytp_slice_begin_interval(nytp_within *within, guint end);

/* The clock has taken a mark. grown_ticks: how much more time was not counted than was known before. So the
 * clock will come later to the ends that it has not passed. */
void nytp_slice_take_mark(nytp_within *within, double grown_ticks);

/* Use nytp_slice_pass_mark(). */
void nytp_slice_pass_due_mark(nytp_within *within);

/* Passes a mark, if one is due, on the process, which has been passed on. */
static inline void nytp_slice_pass_mark(nytp_within *within)
{
    if (within->gap.is_due)
        nytp_slice_pass_due_mark(within);
}

/* Takes a mark of memory, if it is within an interval. What is passed on counts the time from
 * the begin of the first one. */
void nytp_slice_take_memory(nytp_within *within, const nytp_mark *mark);

/* Passes the mark of memory that is held, if there is one, on the process, which has been passed on. */
void nytp_slice_pass_memory(nytp_within *within);

/* A part of a request was passed on. */
void nytp_slice_note_request(nytp_within *within, uint64_t id);

/* Takes the mark of the end of a request, and passes on what is left of it. */
void nytp_slice_take_request(nytp_within *within, const nytp_mark *mark);
