/* The time that a process spent outside of all calls, which puts its outermost calls in their places.
 *
 * Calls follow one another by their own times, without the pauses between them. The stream has the returns
 * among the statements: the statement after a return of an outermost call lasts at least until that return.
 * So the sum of statements, less that of calls, is the sum of the pauses up to then. It never falls, since
 * calls do not overlap. A profile without statements has no pauses.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct nytp_pauses {
    double statement_ticks; /* since the process began */
    double ticks;           /* the sum of the pauses so far */
    bool is_outside;        /* the last return was that of an outermost call, and no statement came since */
} nytp_pauses;

/* Call it for each return; depth is that of SUB_RETURN. */
static inline void nytp_pauses_return(nytp_pauses *pauses, uint32_t depth)
{
    pauses->is_outside = depth <= 1;
}

/* Call it for statements, at once for those that follow one another inside of calls. call_ticks is the sum of
 * the own times of the calls that have returned. Returns whether the pauses before these are now known. */
bool nytp_pauses_statement(nytp_pauses *pauses, double statement_ticks, double call_ticks);
