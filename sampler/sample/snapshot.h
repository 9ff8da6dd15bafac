/* Perl's stacks of contexts as they are in memory at one moment, or nearly so: what calls what, as addresses.
 */
#pragma once

#include "sampler/perl/contexts.h"
#include "sampler/sample/reading.h"

/* A stack where it was the last time. */
typedef struct sampler_known_stack {
    sampler_expected expected;
    unsigned unused; /* samples since it was in use */
} sampler_known_stack;

enum { SAMPLER_MOST_ENDED = 4 /* calls that have ended: as many are noted, and added to a sample */ };

typedef struct sampler_snapshot {
    sampler_running before, after; /* what ran just before and after the calls were read */
    uint64_t main_root;
    uint32_t cop_seqmax; /* counts what perl compiles: while it stays the same, there is no new statement */
    sampler_call *calls; /* outermost first */
    size_t count, room;
    size_t sure, unsure; /* of these: outer calls that go on for sure, and inner ones that may have ended */
    uint64_t
        ended[SAMPLER_MOST_ENDED]; /* statements that called what has ended, see sampler_contexts_ended() */
    int ended_count;
    bool cut;       /* outer calls are left out, since there are too many */
    bool steady;    /* nothing changed from before to after */
    bool is_ending; /* the same, but perl has taken the innermost sub out of its context, see ended */

    /* How much is read. */
    size_t max_depth; /* calls of subs that are wanted */
    size_t limit;     /* contexts of one stack; grows while there are fewer calls in them */
    size_t left;      /* contexts that this sample may still read */

    /* What is expected of the next time, so that one system call can read all: stacks within each other, also
     * inner ones that are in use now and then. */
    sampler_known_stack known[SAMPLER_STACKS];
    int known_count;
    uint64_t stack_sp; /* where the stack of values ended; 0: not known */
    unsigned char *contexts;
    size_t contexts_room;
} sampler_snapshot;

/* max_depth: how many calls of subs are wanted, the innermost ones. */
void sampler_snapshot_init(sampler_snapshot *snapshot, size_t max_depth);

/* Adds an innermost call that is all zero. Valid until the next one is added. */
sampler_call *sampler_snapshot_add_call(sampler_snapshot *snapshot);

enum sampler_taken sampler_snapshot_take(sampler_snapshot *snapshot, const sampler_interpreter *i);

/* Leaves out a call and those in it. Returns false if they are not among those that may have ended. */
static inline bool sampler_snapshot_leave_out(sampler_snapshot *snapshot, size_t n)
{
    if (n < snapshot->sure)
        return false;
    snapshot->count = n;
    return true;
}

void sampler_snapshot_clear(sampler_snapshot *snapshot);
