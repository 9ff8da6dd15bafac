/* The longest calls of a profile, with the times at which they began.
 *
 * A profile does not say when a call began. As in course.h, a call lasts as long as its inclusive time, the
 * calls that it made follow one another from its begin on, and its own time comes after them. So order and
 * durations are exact, and positions within the caller are not. A call ends when its own exclusive time, and
 * that of all calls that returned before it, has passed. So a running sum is enough, with the inclusive times
 * of the calls that wait for their callers.
 */
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

/* Adds a call that returns, and returns its inclusive time. depth is that of SUB_RETURN. A time below 0
 * counts as 0. */
double nytp_longest_calls_add(nytp_longest_calls *longest, uint32_t sub, uint32_t depth, double excl_ticks);

/* Adds statements that follow one another, by the sum of their times. After a call, add the next statement
 * alone: it says how long the process was outside of all calls before (see pauses.h). Without statements, no
 * time passes there. */
void nytp_longest_calls_add_statements(nytp_longest_calls *longest, double ticks);

/* Calls that are added from here on belong to another process. */
void nytp_longest_calls_begin_process(nytp_longest_calls *longest);

/* Returns the calls that were kept, sorted by process, begin, depth and order of return. They belong to
 * longest. */
const nytp_long_call *nytp_longest_calls_get(nytp_longest_calls *longest, size_t *count);

/* How many calls were added. */
uint64_t nytp_longest_calls_total(const nytp_longest_calls *longest);
