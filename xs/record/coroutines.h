/* Coroutines of Coro: several in one interpreter, each with perl stacks of its own. The collector gives each
 * its own stack of frames.
 *
 * Coro gives every coroutine a PL_mainstack, which stays the same as long as it lives. So PL_mainstack says
 * which coroutine runs. Its address may be reused when the coroutine is gone; then all calls of that one have
 * ended, because Coro unwinds perl's savestack, and no frames are kept for the address.
 *
 * Readers find the caller of a call by its depth, whatever coroutine it belongs to. So when another coroutine
 * begins to run, the calls that have not returned are written as returns with the time that they have taken
 * up to then, which makes them the callers of what they have called. These are marked as parts, so each call
 * counts when it returns. The attribute `coroutine` says which one runs from there on, so that readers can
 * add up the parts of a call.
 */
#pragma once

#include "prof.h"

#include "record/frames.h"
#include "base/slots.h"

/* A coroutine that is not running. */
typedef struct prof_coroutine {
    prof_frames frames; /* no calls: they have returned, or belong to the coroutine that runs */
    int64_t left_ticks; /* active time at which another one began to run */
    int64_t left_values; /* how many values perl had then */
} prof_coroutine;

/* By address of PL_mainstack. An entry stays, for the next coroutine with that address. */
typedef struct prof_coroutines {
    prof_coroutine *at;
    uint32_t count, cap;
    uint32_t said;    /* number of the one that runs, as the profile knows; 0 if it says nothing yet */
    nytp_slots slots; /* find the indexes of coroutines */
} prof_coroutines;

void prof_coroutines_free(prof_coroutines *coroutines);

/* Switches to the frames of the coroutine that runs, if that is another one than before. */
void prof_coroutines_switch(pTHX_ prof *p, uint64_t now);

/* Writes returns for the calls of all coroutines that have not returned. */
void prof_coroutines_write_open(pTHX_ prof *p, int64_t active_ticks);

/* prof_frames_begin_file() for all coroutines. */
void prof_coroutines_restart(pTHX_ prof *p, int64_t active_ticks);
