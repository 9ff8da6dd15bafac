/* The clock of a process: what was counted, and from it when calls happened, in ticks since the process
 * began.
 *
 * The clock is the sum of the statements that have ended. Built-ins and xsubs that have returned since then
 * were part of the statement that goes on, so their time is added until it ends. A call began its inclusive
 * time before its return. What the statement that goes on took besides is not known, so begins are exact
 * within it.
 *
 * A process may have statements after its end: older versions of nytprofmerge wrote those of evals there,
 * as they did not know before where they are shown. The clock does not have them.
 *
 * Time that was not counted has not passed on this clock: what the collector subtracts. How much of it there
 * was, and where, is what marks say.
 *
 * Without statements the clock is the sum of the calls, until marks say what it has to be. Calls that went on
 * at a mark add nothing when they return, as it is not known how much they took since.
 */
#pragma once

#include "nytprof.h"

#include "events/levels.h"
#include "format/marks.h"

#include <glib.h>
#include <stdbool.h>

/* When: how much time had passed since a process began, given its clock.
 *
 * The clock has what was counted. Marks in the stream (clock=, doc/format.md) say how much time had passed at
 * their places. Between two of them, time that was not counted passes evenly, but for what a mark says to
 * have passed at its place. After the last one, and if there is none, all time was counted.
 */

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

/* Whether a sub has statements of its own, which have its time: built-ins and xsubs do not. A span, and a
 * string eval that is shown as a call, have their caller's. Of these, only spans are calls for filters, so
 * evals never move the clock. */
enum nytp_own_statements {
    NYTP_STATEMENTS_UNKNOWN,
    NYTP_HAS_STATEMENTS,
    NYTP_NO_STATEMENTS,
    NYTP_HAS_THOSE_OF_CALLER,
    NYTP_IS_EVAL,
};

/* Calls of one depth that have returned, and wait for the return of their caller. */
typedef struct nytp_clock_level {
    uint32_t depth;
    bool has_calls;
    double first_ticks;     /* statement_ticks at the return of the first, */
    double last_ticks;      /* and of the last */
    double since_ticks;     /* of since_ticks, their part at the return of the last */
    double incl_ticks;      /* of all of them, but of string evals that of their calls */
    double uncounted_ticks; /* their time that was not counted */
} nytp_clock_level;

typedef struct nytp_process_clock {
    double statement_ticks; /* of statements that have ended */
    double since_ticks;     /* of built-ins and xsubs that have returned since */
    double returned_ticks;  /* statement_ticks at the last return */
    bool has_ended;         /* the process has */
    bool lacks_statements;  /* the profile has none */
    nytp_levels levels;     /* nytp_clock_level, with what its user adds */
    nytp_true_time time;
    nytp_levels gaps;    /* places where time passed at once, by how many calls went on there and still do */
    uint32_t mark_depth; /* how many went on at the last mark */
} nytp_process_clock;

/* When a call happened. */
typedef struct nytp_call_time {
    double clock_ticks;         /* its begin by the clock; its inclusive time later it returned */
    double begin_ticks;         /* its begin, */
    double uncounted_ticks;     /* how much of its time was not counted, */
    double own_uncounted_ticks; /* and of that, how much not in the calls that it made */
} nytp_call_time;

/* level_size: that of a struct that begins with nytp_clock_level. clear_level frees what else is in it; NULL
 * if there is nothing to free. */
void nytp_clock_init(nytp_process_clock *clock, size_t level_size, void (*clear_level)(void *level));
void nytp_clock_clear(nytp_process_clock *clock);

/* Notes what an option of the profile says of its clock. */
void nytp_clock_note_option(nytp_process_clock *clock, nytp_str key, nytp_str value);

/* A process begins. */
void nytp_clock_reset(nytp_process_clock *clock);

/* A profile ends. */
void nytp_clock_end_profile(nytp_process_clock *clock);

/* The process ends. */
static inline void nytp_clock_end(nytp_process_clock *clock)
{
    clock->has_ended = true;
}

/* Statements have ended, which took so long together. */
static inline void nytp_clock_add_statements(nytp_process_clock *clock, double ticks)
{
    if (clock->has_ended)
        return;
    clock->statement_ticks += ticks;
    if (ticks != 0)
        clock->since_ticks = 0;
}

/* What the clock says now. */
static inline double nytp_clock_now(const nytp_process_clock *clock)
{
    return clock->statement_ticks + clock->since_ticks;
}

/* Returns whether nothing says how much time passes outside of calls. */
static inline bool nytp_clock_has_calls_alone(const nytp_process_clock *clock)
{
    return clock->lacks_statements && !nytp_true_time_has_marks(&clock->time);
}

/* Returns how much time has passed. */
double nytp_clock_true_now(const nytp_process_clock *clock);

/* Returns how much of it was not counted. */
static inline double nytp_clock_uncounted(const nytp_process_clock *clock)
{
    return nytp_clock_true_now(clock) - nytp_clock_now(clock);
}

/* Takes a mark of the clock. */
void nytp_clock_mark(nytp_process_clock *clock, const nytp_mark *mark);

/* How much memory a process had at a moment. */
typedef struct nytp_memory_at {
    double ticks;     /* since the process began */
    double rss_bytes; /* in RAM, always some */
    double values;    /* how many values perl had; 0: not known */
} nytp_memory_at;

/* Sets *memory to what a mark says of memory. Returns false if it says nothing. */
bool nytp_clock_memory(const nytp_process_clock *clock, const nytp_mark *mark, nytp_memory_at *memory);

/* A call returns: adds its time if no statement has it. Times of damaged profiles must be made sane before.
 * Returns the part of since_ticks that is the call's, with the calls that it made. */
double nytp_clock_return(nytp_process_clock *clock, uint32_t depth, double incl_ticks,
                         enum nytp_own_statements sub);

/* After nytp_clock_return(): the call waits for the return of its caller at the level of its depth. callees:
 * the level of the calls that it made, which has been removed. */
void nytp_clock_let_wait(const nytp_process_clock *clock, nytp_clock_level *here,
                         const nytp_clock_level *callees, double incl_ticks, double since_ticks,
                         enum nytp_own_statements sub);

/* nytp_clock_return() and nytp_clock_let_wait(), for a clock whose levels have nothing else. Returns when the
 * call happened. */
nytp_call_time nytp_clock_leave(nytp_process_clock *clock, uint32_t depth, double incl_ticks,
                                enum nytp_own_statements sub);
