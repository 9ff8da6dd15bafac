/* Where the program was off its processor: marks in the stream.
 *
 *   waits=1                        after PID_START: the process has such marks, so what has none did not wait
 *   waited=DEPTH ASLEEP QUEUED     ticks before this place: those of the call whose SUB_RETURN has that depth
 * next (0: outside of calls), and of the line whose time comes next waited=0 ASLEEP QUEUED 1       the same
 * of the process alone, somewhere since the last such mark
 *
 * Statements and calls that take 12.8 us or more end on slow paths, which look. What is shorter has no mark
 * of its own, and is part of a later one.
 */
#pragma once

#include "prof.h"

typedef struct prof_waits {
    uint64_t long_ticks;                    /* a call that itself takes so long ends on the slow path, which
                                               looks; also one that takes less than 0 */
    int64_t looked_ticks;                   /* active time at the last look */
    int64_t rest_asleep_ns, rest_queued_ns; /* what is not in a mark: more than the time of the place at which
                                               it was found */
} prof_waits;

/* Begins in a new output: what was before does not count. Says that the process has marks. */
void prof_waits_begin(prof *p);

/* Looks for what was since the last look, and writes its mark: the call at that depth runs. */
void prof_waits_look(prof *p, int64_t active_ticks, uint32_t depth);

/* Does so even if little time has passed, and writes all that is not in a mark yet. */
void prof_waits_look_again(prof *p, int64_t active_ticks);

/* What was since the last look does not count. */
void prof_waits_leave_out(prof *p, int64_t active_ticks);
