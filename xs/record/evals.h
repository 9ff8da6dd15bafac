/* String evals that run.
 *
 * The stream says where each begins and ends, by two attributes (doc/format.md, `eval_begin`): an eval is not
 * a call in the sense of the stream, since its time is that of the sub that runs it.
 *
 * The end of an eval is found by a destructor on perl's savestack, as the end of a call is (frames.h). It is
 * put there before perl compiles the text. Once the eval has a context, the destructor becomes part of the
 * scope of that context. So it runs however the eval is left: at its end, by return, die, last, exit, or
 * because its text does not compile.
 */
#pragma once

#include "prof.h"

typedef struct prof_eval {
    uintptr_t serial;    /* rises with every eval, among those of frames */
    uint32_t depth;      /* how many calls were open when it began */
    uint32_t fid, line;  /* of the statement that runs it */
    int64_t start_ticks; /* as in prof_frame */
    int64_t left_ticks;  /* how long it took, if it has ended before a span that began in it; otherwise -1 */
} prof_eval;

/* The evals of one coroutine, the outermost first. */
typedef struct prof_evals {
    prof_eval *at;
    uint32_t count, cap;
} prof_evals;

/* Has perl say when the context of an eval is there. Call it for each interpreter that is not a clone: clones
 * inherit it. */
void prof_evals_watch(pTHX);

/* Writes the begins of those that run, at the start of an output, and when their coroutine goes on. */
void prof_evals_write_begins(prof *p);

/* Writes the ends, up to active_ticks, of those of the first `count` that began with at least `depth` open
 * calls. They stay. Returns how many are left. */
uint32_t prof_evals_write_ends(prof *p, uint32_t count, uint32_t depth, int64_t active_ticks);

/* Restarts the time of those that run. */
void prof_evals_restart(prof_evals *evals, int64_t active_ticks);

/* Without statements, the stream has nothing of a string eval's own time: has marks be due while one runs. */
void prof_evals_expect_mark(prof *p, uint64_t now);

/* Call it when a span has ended: so do evals that only it has kept, and those around which the span was. */
void prof_evals_settle(prof *p);

/* Replaces ENTEREVAL. */
void prof_replace_evals(void);
