/* Perl's stacks of contexts as they are in memory at one moment, or nearly so: what calls what, as addresses.
 */
#ifndef RECORD_SNAPSHOT_H
#define RECORD_SNAPSHOT_H

#include "contexts.h"
#include "reading.h"

/* A stack where it was the last time. */
typedef struct record_known_stack {
    record_expected expected;
    unsigned unused; /* samples since it was in use */
} record_known_stack;

enum { RECORD_ENDED = 4 /* calls that have ended: as many are noted, and added to a sample */ };

typedef struct record_snapshot {
    record_running before, after; /* what ran just before and after the calls were read */
    uint64_t main_root;
    uint32_t cop_seqmax; /* counts what perl compiles: while it stays the same, there is no new statement */
    record_call *calls;  /* outermost first */
    size_t count, room;
    size_t sure, unsure; /* of these: outer calls that go on for sure, and inner ones that may have ended */
    uint64_t ended[RECORD_ENDED]; /* statements that called what has ended, see record_contexts_ended() */
    int ended_count;
    bool cut;    /* outer calls are left out, since there are too many */
    bool steady; /* nothing changed from before to after */

    /* What is expected of the next time, so that one system call can read all: stacks within each other, also
     * inner ones that are in use now and then. */
    record_known_stack known[RECORD_STACKS];
    int known_count;
    unsigned char *contexts;
    size_t contexts_room;
} record_snapshot;

/* Adds an innermost call that is all zero. Valid until the next one is added. */
record_call *record_snapshot_add_call(record_snapshot *snapshot);

enum record_taken record_snapshot_take(record_snapshot *snapshot, const record_interpreter *i);

/* Leaves out a call and those in it, which must be among those that may have ended. false: they are not. */
static inline bool record_snapshot_leave_out(record_snapshot *snapshot, size_t n)
{
    if (n < snapshot->sure)
        return false;
    snapshot->count = n;
    return true;
}

void record_snapshot_clear(record_snapshot *snapshot);

#endif
