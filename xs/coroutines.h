/* Coroutines, as Coro makes them: several in one interpreter, each with stacks of its own, and each with a
 * stack of frames.
 *
 * Coro gives every coroutine a PL_mainstack, which stays the same as long as it lives. So PL_mainstack says
 * which coroutine runs. Its address may be reused when the coroutine is gone; then all calls of that one have
 * ended, because Coro unwinds perl's savestack, and no frames are kept for the address.
 *
 * A profile does not say to which coroutine a return belongs, and readers find the caller of a call by its
 * depth. So the calls that have not returned when another coroutine begins to run are written as returns,
 * with their part of the time: what they have called belongs to them. The arcs count each call once.
 */
#ifndef PROF_COROUTINES_H
#define PROF_COROUTINES_H

#include "prof.h"

#include "frames.h"

/* A coroutine that does not run and has calls that have not returned. */
typedef struct prof_coroutine {
    struct prof_coroutine *next; /* in the same bucket */
    prof_frames frames;
    int64_t left_ticks; /* active time when another one began to run */
} prof_coroutine;

/* A hash table by address of PL_mainstack. */
typedef struct prof_coroutines {
    prof_coroutine **buckets; /* NULL: no coroutine yet */
    uint32_t count, mask;
} prof_coroutines;

void prof_coroutines_clear(prof_coroutines *coroutines);

/* Goes on with the frames of the coroutine that runs, if that is another one. */
void prof_coroutines_switch(pTHX_ prof *p, uint64_t now);

/* Writes the returns of all calls that have not returned, of all coroutines. */
void prof_coroutines_write_open(prof *p, int64_t active_ticks);

/* The time of all calls that have not returned begins anew. */
void prof_coroutines_restart(prof *p, int64_t active_ticks);

#endif
