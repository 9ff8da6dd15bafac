/* The context: the state of the collector in one interpreter. Each member belongs to the file with its name,
 * which initializes it and frees what it points to. */
#pragma once

#include "record/arcs.h"
#include "record/callsites.h"
#include "state/contexts.h"
#include "record/coroutines.h"
#include "names/cvkeys.h"
#include "names/files.h"
#include "heap/sites.h"
#include "session/marks.h"
#include "session/process.h"
#include "record/frames.h"
#include "record/requests.h"
#include "names/labels.h"
#include "state/messages.h"
#include "basics/options.h"
#include "output/output.h"
#include "session/phases.h"
#include "names/places.h"
#include "state/probe.h"
#include "session/session.h"
#include "state/signals.h"
#include "record/statements.h"
#include "names/subs.h"
#include "record/waits.h"

struct prof {
    struct prof *next;               /* in the list of all contexts */
    _Atomic(PerlInterpreter *) perl; /* NULL if the context is not in use; then the rest is zero */

    /* used for every statement or call */
    prof_output *out; /* NULL if no file is open; set with the contexts locked */
    prof_enabled enabled;
    prof_probe probe;
    prof_waits waits;
    prof_statements statements;
    prof_places places;
    prof_frames frames;
    prof_callsites callsites;
    prof_arcs arcs;
    prof_subs subs;
    prof_options options;
    prof_labels labels;
    prof_requests requests;

    prof_coroutines coroutines;
    prof_cv_keys cv_keys;
    prof_files files;
    prof_session session;
    prof_clock_marks marks;
    prof_process process;
    prof_phases phases;
    prof_at_once at_once;
    prof_messages messages;
    prof_heap heap;
};

/* Returns the current count of its clock. */
static inline uint64_t prof_now(const prof *p)
{
    return prof_clock_now(&p->probe.clock);
}

/* Returns the context of the running interpreter; NULL if it has none. */
static inline prof *prof_of(pTHX)
{
    prof *p = prof_latest;
    if (LIKELY(atomic_load_explicit(&p->perl, memory_order_relaxed) == PROF_PERL))
        return p;
    return prof_find(PROF_PERL);
}
