/* Calls that have not returned, as frames on a stack of our own.
 *
 * The end of a call is found by a destructor on perl's savestack, which runs however the call is left: by
 * return, die, last, goto or exit. The destructor knows its frame by a serial number. So a destructor that
 * runs when the frame is already gone does no harm.
 */
#ifndef PROF_FRAMES_H
#define PROF_FRAMES_H

#include "prof.h"

#define PROF_NO_CXIX (-1)

typedef struct prof_frame {
    uintptr_t serial; /* rises with every call */
    uint32_t called;
    uint32_t arc;       /* its index */
    uint32_t recursion; /* calls of the same sub around this one */
    I32 cxix;           /* the sub's context on perl's context stack; PROF_NO_CXIX: an xsub or a built-in */
    int64_t start_ticks, child_ticks; /* without the time in which other coroutines ran */
} prof_frame;

typedef struct prof_frames {
    prof_frame *at;
    uint32_t count, cap;
    uintptr_t serial;    /* of the latest frame, of any coroutine */
    const AV *mainstack; /* the coroutine that the frames are of (coroutines.h) */
    int64_t idle_ticks;  /* active time in which other coroutines ran, since this one has a frame */
    bool has_returns;    /* calls have returned to a frame since the open ones were written last */
    /* When a call ended last, for the op that has ended it: the clock, and active time. */
    uint64_t last_end; /* 0: none has ended since the op began */
    int64_t last_end_ticks;
} prof_frames;

void prof_frames_init(pTHX_ prof_frames *frames);
void prof_frames_clear(prof_frames *frames);

/* Grows the stack. */
void prof_frames_grow(prof_frames *frames);

/* Ends the frame, and those above it, whose destructors have not run. */
void prof_frame_end(pTHX_ prof *p, uintptr_t serial);

/* The same, for SAVEDESTRUCTOR_X(). */
void prof_frame_end_by_destructor(pTHX_ void *serial);

/* Writes the returns of all calls that have not returned. */
void prof_frames_write_open(prof *p, int64_t active_ticks);

/* Writes what these calls have taken up to now, if calls have returned to them. Each call goes on, but its
 * time begins anew. */
void prof_frames_write_parts(prof *p, int64_t active_ticks);

/* The time of these calls begins anew. */
void prof_frames_restart(prof_frames *frames, int64_t active_ticks);

#endif
