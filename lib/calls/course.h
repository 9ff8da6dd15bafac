/* The course of calls (nytp_course): when each call was entered and left. And what it is made with, which
 * puts calls into the order in which they were entered (nytp_callorder). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Converts calls from the order of returns to the order of entries.
 *
 * In a profile a call comes when it returns, after the calls that it made; in a tmon.out it comes when it is
 * entered, before them. A whole run may lie in between, so the calls go through an unnamed file in TMPDIR
 * (/tmp), block by block; only the stack of calls is in memory. If one block is enough, there is no file. */
typedef struct nytp_callorder nytp_callorder;

/* In place of a sub, a barrier: no call after it made one before it. */
#define NYTP_CALLS_END UINT32_MAX

typedef struct nytp_ordered_call {
    uint32_t sub;
    /* In the order of returns, that of SUB_RETURN. In the order of entries, how many calls are around it. */
    uint32_t depth;
    int64_t ticks;         /* exclusive in the order of returns, inclusive in the order of entries */
    int64_t callees_ticks; /* in the order of entries: the inclusive time of the calls that it made */
    int64_t begin_ticks;   /* as it was added */
} nytp_ordered_call;

nytp_callorder *nytp_callorder_new(void);
void nytp_callorder_free(nytp_callorder *s); /* NULL is fine */

/* Adds the next call that returns, or a barrier. Errors stick to s. */
void nytp_callorder_add(nytp_callorder *s, nytp_ordered_call call);

/* Call it when all calls were added: puts them into the order of entries. The callees of a call are the
 * deeper calls that returned after the previous call at its depth or above. */
void nytp_callorder_turn(nytp_callorder *s);

/* Sets *call to the next call that is entered, after nytp_callorder_turn(). Returns false if there is none,
 * or after an error. */
bool nytp_callorder_next(nytp_callorder *s, nytp_ordered_call *call);

/* Returns 0, or the errno of what went wrong with the file. */
int nytp_callorder_error(const nytp_callorder *s);

/* By the clock (events/clock.h), each call begins when it began, as far as its caller and its inclusive time
 * leave room: calls of one caller do not overlap, and all are within it. Without a clock, the calls that a
 * call makes follow one another from its begin on, its own time comes after them, and time outside of all
 * calls is left out.
 *
 * Add the returns of a process in the order of the stream, then ask for the marks. */
typedef struct nytp_course nytp_course;

nytp_course *nytp_course_new(bool by_clock);
void nytp_course_free(nytp_course *course); /* NULL is fine */

/* Adds the next call that returns; depth and excl_ticks are those of SUB_RETURN. begin_ticks is that of
 * nytp_call_event; without a clock it is not used. Times become whole ticks that are never negative. The rest
 * is carried to the next call, so sums are right within a tick. */
void nytp_course_add_return(nytp_course *course, uint32_t sub, uint32_t depth, double excl_ticks,
                            double begin_ticks);

/* Call it when a process begins: no call that returns from here on made one that returned before. */
void nytp_course_end_stack(nytp_course *course);

/* How many calls were added, and the sum of their exclusive times. */
void nytp_course_totals(const nytp_course *course, uint64_t *calls, int64_t *ticks);

typedef struct nytp_course_mark {
    bool enters;         /* a call begins; else it ends */
    uint32_t sub, depth; /* depth 0: called from outside of all subs */
    uint32_t stack;      /* how often nytp_course_end_stack() was called before it */
    int64_t at_ticks;    /* since the first stack began; stacks follow one another */
    int64_t stack_ticks; /* when its stack began */
    int64_t incl_ticks;  /* how long the call takes, with the calls that it makes */
} nytp_course_mark;

/* Sets *mark to the next mark in the order of time. Each call that is entered is also left, callees before
 * callers. Returns false if there is no mark, or after an error. Nothing may be added after the first call of
 * this function. */
bool nytp_course_next(nytp_course *course, nytp_course_mark *mark);

/* Call it before the first mark. Leaves out calls that take less than min_ticks, and those deeper than
 * max_depth (1: only outermost calls are left; 0: no limit); their time stays with their callers. */
void nytp_course_prune(nytp_course *course, int64_t min_ticks, uint32_t max_depth);

/* Returns how many calls were left out because of max_depth. */
uint64_t nytp_course_too_deep(const nytp_course *course);

/* Returns 0, or the errno of what went wrong with the unnamed file. */
int nytp_course_error(const nytp_course *course);
