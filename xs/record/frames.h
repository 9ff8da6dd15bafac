/* Calls that have not returned: frames on a stack of the collector.
 *
 * The end of a call is found by a destructor on perl's savestack, which runs however the call is left: by
 * return, die, last, goto or exit. The destructor has the serial number of its frame. So a destructor that
 * runs when the frame is already gone does no harm.
 *
 * A call that returns is usually ended by the op that leaves the sub. Its destructor is then in the caller's
 * scope, and the op takes it away (prof_frame_end_from()): that saves a seventh of what a call costs, because
 * perl has nothing on the savestack to go through.
 */
#pragma once

#include "record/requests.h"
#include "prof.h"

#include "record/evals.h"

#define PROF_NO_CXIX   (-1)
#define PROF_PART_CXIX (-2) /* this, or less: the end of the frame is written with marks */
/* In prof_frame.recursion: */
#define PROF_COUNTED 0x80000000u /* the frame is in prof_sub.open */
#define PROF_PART    0x40000000u /* it is not the first part of a request or span, and counts no call */

struct prof_frame {
    uintptr_t serial; /* rises by two with every call; odd: see ops/spans.c */
    uint32_t sub;
    uint32_t arc;       /* its index */
    uint32_t recursion; /* calls of the same sub around this one, perhaps with PROF_COUNTED and PROF_PART */
    I32 cxix;           /* the sub's context on perl's context stack; PROF_NO_CXIX: an xsub or a built-in;
                           less: a part of a request (requests.c) */
    /* The context stack, if the op that leaves the sub ends the frame; NULL if the destructor does. */
    const PERL_SI *stack;
    /* Neither counts the time in which other coroutines ran. */
    int64_t start_ticks; /* active time at the start of the call */
    int64_t child_ticks; /* inclusive time of the calls that it made */
    /* Nor do these count what other coroutines made. */
    int64_t start_values; /* prof_values_now() at the start of the call */
    int64_t child_values; /* what the calls that it made have left behind */
};

typedef struct prof_frames {
    prof_frame *at;
    uint32_t count, cap;
    uintptr_t serial;    /* of the latest frame, of any coroutine; those of other contexts differ */
    const AV *mainstack; /* the coroutine to which the frames belong (coroutines.h) */
    int64_t idle_ticks;  /* active time in which other coroutines ran since this one has had a frame */
    bool has_returns;    /* a call has returned since prof_frames_write_parts() */
    bool has_counted;    /* a frame of any coroutine has been counted in prof_sub.open */
    bool counts_some;    /* calls of some subs by prof_sub.open: resumed or shared ones */
    prof_evals evals;    /* of the same coroutine */
    /* When the last call ended, for the op that has ended it. */
    uint64_t last_end;      /* count of the clock; 0 if no call has ended since the op began */
    int64_t last_end_ticks; /* active time */
} prof_frames;

void prof_frames_init(pTHX_ prof_frames *frames);
void prof_frames_clear(prof_frames *frames);

/* Grows the stack. */
void prof_frames_grow(prof_frames *frames);

/* Sets the recursion of a frame from those of its sub that were counted before, and counts it, if perl does
 * not say how deep the recursion is: CvDEPTH() counts calls with other labels, not those of other code of the
 * same name, and other frames have no CV. */
void prof_frame_count(prof *p, prof_frame *f);

/* Counts the frames of a sub that is shared from now on. */
void prof_frames_count_shared(prof *p, uint32_t sub);

/* Returns the recursion of a call of a sub that begins, given what CvDEPTH() says, if p->frames.counts_some. That
 * of a shared sub is counted. */
uint32_t prof_frames_recursion(prof *p, uint32_t sub, uint32_t recursion);

/* Takes a frame that goes away, or that is to be counted again, off the count. Returns its recursion. */
uint32_t prof_frame_uncount(prof *p, prof_frame *f);

/* Counts the frames of a coroutine that runs, or takes those of one that does not run off the count. */
void prof_frames_recount(prof *p, const prof_frames *frames, bool runs);

/* Ends the frame with that serial number, and the frames above it, whose destructors have not run. */
void prof_frame_end(pTHX_ prof *p, uintptr_t serial);

/* The slow path of prof_frame_end(), for frames that are parts of requests, and those of spans, before whose
 * returns there are marks. at_part: they end where what was written of the statement that runs does. */
void prof_frame_end_slowly(pTHX_ prof *p, uintptr_t serial, bool at_part);

/* The top frame, of a sub that perl has just entered, counts no call: the sub goes on where it was left, in a
 * copy, of which CvDEPTH() of the sub knows nothing. So the frame is counted in prof_sub.open, too. Its
 * destructor is the last one on the savestack. */
void prof_frame_resume(pTHX_ prof *p);

/* Ends the innermost call that the op ends that leaves the sub, if its context is the one at cxix on the
 * current context stack, or above, and the frames above. Takes its destructor off the savestack if perl has
 * left that context. Returns whether a call has ended. */
bool prof_frame_end_from(pTHX_ prof *p, I32 cxix);

/* Makes room on perl's savestack. For prof_destructor_push() (hot.h). */
void prof_savestack_grow(pTHX);

/* Ends a frame by its serial number. For prof_destructor_push(). */
void prof_frame_end_by_destructor(pTHX_ void *serial);

/* Writes returns for all calls that have not returned, and ends for all string evals that run. values: as in
 * prof_frame.start_values. */
void prof_frames_write_open(prof *p, int64_t active_ticks, int64_t values);

/* Does so if calls have returned to them, or evals run, and restarts their time: each call goes on, and is
 * counted when it returns. */
void prof_frames_write_parts(prof *p, int64_t active_ticks);

/* These calls and evals go on in another file, perhaps of a forked child: restarts their time and values.
 * Spans count in the file in which they began. */
void prof_frames_begin_file(const prof *p, prof_frames *frames, int64_t active_ticks, int64_t values);
