/* The longest calls of a profile, with the times at which they began (events/clock.h). */
#pragma once

#include "nytprof.h"

typedef struct nytp_long_call {
    uint32_t sub, depth;
    uint32_t process;          /* counted from 0, in order of their starts */
    double begin_ticks, ticks; /* since the process started; inclusive */
    uint64_t number;           /* how many calls returned before it */
} nytp_long_call;

typedef struct nytp_longest_calls nytp_longest_calls;

/* Keeps at most that many calls. Memory grows with that number and with the depth of calls. */
nytp_longest_calls *nytp_longest_calls_new(size_t most);
void nytp_longest_calls_free(nytp_longest_calls *longest); /* NULL is fine */

/* Adds a call that returns: depth is that of SUB_RETURN, begin_ticks and ticks those of nytp_long_call. Times
 * below 0 count as 0. */
void nytp_longest_calls_add(nytp_longest_calls *longest, uint32_t sub, uint32_t depth, double begin_ticks,
                            double ticks);

/* Calls that are added from here on belong to another process. */
void nytp_longest_calls_begin_process(nytp_longest_calls *longest);

/* Returns the calls that were kept, sorted by process, begin, depth and order of return. They belong to
 * longest. */
const nytp_long_call *nytp_longest_calls_get(nytp_longest_calls *longest, size_t *count);

/* How many calls were added. */
uint64_t nytp_longest_calls_total(const nytp_longest_calls *longest);
