/* Marks in the stream: how much time has passed, and how much memory there is, at their places.
 *
 * Marks of the clock say how much time has passed since the process began. Times of statements and calls lack
 * what is the profiler's own, and the time that the program waited in accept(); those of statements also the
 * time in which recording was off. Marks say how much that was, and where (doc/format.md, `clock`). They are
 * written after such a gap, each time that another 2 ms were the profiler's own, and where a span begins.
 * Without statements they are written 20 times a second as well, since only they say how much time passes
 * outside of calls.
 *
 * Marks of memory (`memory_at`) are written when the process begins and ends and, if statements or calls
 * happen, about 20 times a second.
 */
#pragma once

#include "prof.h"

typedef struct prof_clock_marks {
    int64_t began_ticks;     /* active time when the process began */
    uint64_t began_overhead; /* probe.overhead then */
    int64_t paused_ticks;    /* active time when recording was switched off */
    bool paused;             /* it was, since the process began */
    int64_t off_ticks;       /* how long it was off since the last mark */
} prof_clock_marks;

/* Call it when PID_START is written. */
void prof_clock_marks_begin(prof *p);

/* Call them when recording is switched off and on. */
void prof_clock_marks_pause(prof *p, uint64_t now);
void prof_clock_marks_resume(prof *p, uint64_t now);

/* Returns how many ticks have passed since the process began. */
int64_t prof_passed_ticks(const prof *p, uint64_t now);

/* Writes a mark if one is due, or, with `always`, if time has passed that was not counted. Call it between
 * events, and before prof_memory_marks_write(). */
void prof_clock_marks_write(prof *p, uint64_t now, bool always);

/* A span begins, whose frame is the top one, or ends: brings the stream up to now, with the time of the
 * statement that runs and, by a mark, what is the profiler's own. Returns whether the span ends where what
 * was written of that statement does. Call it between events. */
bool prof_clock_marks_settle(pTHX_ prof *p, bool begins);

/* Writes a mark of memory if one is due, or `always`. Call it between events. */
void prof_memory_marks_write(pTHX_ prof *p, uint64_t now, bool always);
