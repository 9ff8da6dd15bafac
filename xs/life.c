#include "life.h"

#include "basics/alloc.h"
#include "ops/builtins.h"
#include "context.h"
#include "session/control.h"
#include "ops/entersub.h"
#include "heap/heap.h"
#include "heap/samples.h"
#include "ops/labelops.h"
#include "ops/labelsubs.h"
#include "basics/ops.h"
#include "session/process.h"
#include "state/signals.h"

static void replace_statement_ops(const prof_options *o)
{
    if (!o->stmts || o->use_db_sub)
        return;
    prof_replace_statements();
    if (!o->leave)
        return;
    prof_replace_leaves();
    if (o->slowops == 0) /* otherwise it is a built-in that is recorded as a sub, with subs=0 too */
        prof_replace_leavewrite();
}

/* Replaces only what the options ask for: an op that is not replaced costs nothing. */
static void replace_ops(const prof *p)
{
    const prof_options *o = &p->options;
    prof_replace_accept();
    prof_replace_system_calls();
    if (o->subs) {
        prof_replace_entersub();
        prof_replace_ruled(&p->labels.rules);
        prof_replace_goto();
        prof_replace_evals();
        if (o->slowops > 0) {
            prof_replace_pattern_ops(&p->labels.rules);
            prof_replace_file_ops(&p->labels.rules);
            prof_replace_builtins();
        }
        if (o->slowops > 2)
            prof_replace_loads();
    }
    replace_statement_ops(o);
}

/* Returns the scalar in which clones of an interpreter find its context; NULL if there is none. */
static SV *context_note(pTHX_ bool create)
{
    SV **note = hv_fetchs(PL_modglobal, "Devel::NYTProf", create);
    return note != NULL ? *note : NULL;
}

/* Returns a new context. Takes ownership of the texts of options. is_first: it is not that of a clone. */
static prof *context_new(pTHX_ const prof_options *options, bool is_first)
{
    prof *p = prof_contexts_take(PROF_PERL);
    sv_setuv(context_note(aTHX_ true), PTR2UV(p));
    p->options = *options;
    prof_probe_init(&p->probe, prof_checkpoint);
    prof_statements_init(p);
    prof_places_init(&p->places);
    prof_frames_init(aTHX_ & p->frames);
    prof_callsites_init(&p->callsites);
    prof_subs_init(&p->subs);
    prof_labels_init(aTHX_ & p->labels, options->labels, is_first);
    prof_files_init(&p->files);
    prof_process_init(&p->process);
    return p;
}

static void context_clear(pTHX_ prof *p)
{
    if (prof_heap_runs())
        prof_samples_free(p);
    prof_places_free(&p->places);
    prof_frames_clear(&p->frames);
    prof_callsites_free(&p->callsites);
    prof_arcs_free(&p->arcs);
    prof_subs_free(&p->subs);
    prof_options_free(&p->options);
    prof_labels_free(aTHX_ & p->labels);
    prof_coroutines_free(&p->coroutines);
    prof_requests_free(&p->requests);
    prof_cv_keys_clear(aTHX_ & p->cv_keys);
    prof_files_free(&p->files);
    prof_session_free(&p->session);
    prof_messages_free(&p->messages);
    memset(&p->out, 0, sizeof *p - offsetof(prof, out));
    p->perl = NULL;
}

/* Perl calls it at the end of the interpreter. */
static void context_end(pTHX_ void *context)
{
    prof *p = context;
    if (p->perl != PROF_PERL) /* a clone inherits the list of functions to call from its parent */
        return;
    prof_finish(aTHX);
    prof_unwatch_thread(p);
    prof_contexts_lock();
    context_clear(aTHX_ p);
    prof_contexts_unlock();
}

/* Sets the bits of $^P that options ask for. The module has set those that are always needed. */
static void set_perldb(pTHX_ const prof_options *o)
{
    if (o->savesrc)
        PL_perldb |= PERLDBf_SAVESRC | PERLDBf_SAVESRC_NOSUBS;
    if (!o->optimize)
        PL_perldb |= PERLDBf_NOOPT;
    if (!o->nameevals)
        PL_perldb &= ~(U32)PERLDBf_NAMEEVAL;
    if (!o->nameanonsubs)
        PL_perldb &= ~(U32)PERLDBf_NAMEANON;
    if (o->use_db_sub)
        PL_perldb |= PERLDBf_LINE | PERLDBf_SINGLE;
}

/* Replaces op handlers. Once for the process, watches forks and its end. */
static void watch_process(const prof *p)
{
    static bool is_watched;
    prof_contexts_lock();
    replace_ops(p);
    if (!is_watched)
        prof_watch_process();
    is_watched = true;
    prof_contexts_unlock();
}

/* Stock records the clock in use for -1. */
static void start_clock(pTHX_ prof *p)
{
    const int wanted = p->options.clock;
    prof_clock_start(&p->probe.clock, wanted);
    p->options.clock = (int)p->probe.clock.id;
    if (wanted >= 0 && p->options.clock != wanted)
        Perl_warn(aTHX_ "Devel::NYTProf: clock=%d: the system has no such clock, so %d is used\n", wanted,
                  p->options.clock);
}

void prof_load(pTHX)
{
    prof_options options = {0};
    prof_memory_reserve(1);
    prof_options_parse(aTHX_ & options, PerlEnv_getenv("NYTPROF")); /* may die; then there is no context */
    prof *p = context_new(aTHX_ & options, true);
    start_clock(aTHX_ p);
    prof_session_set_path(&p->session, p->options.file);
    prof_set_log(&p->messages, p->options.log);
    p->process.forks_left = p->options.forkdepth;
    set_perldb(aTHX_ & p->options);
    call_atexit(context_end, p);
    prof_evals_watch(aTHX);
    watch_process(p);
    prof_options_start(aTHX_ & p->options);
    prof_at_once_start(aTHX);
    prof_heap_start(aTHX_ p);
    prof_phases_prepare(aTHX_ p);
}

void prof_clone(pTHX)
{
    static _Atomic unsigned thread_count;
    SV *note = context_note(aTHX_ false);
    const prof *parent = note != NULL ? INT2PTR(const prof *, SvUV(note)) : NULL;
    if (parent == NULL || parent->perl == NULL || parent->perl == PROF_PERL)
        return;
    prof_options options;
    prof_options_copy(&options, &parent->options);
    prof *p = context_new(aTHX_ & options, false);
    p->probe.clock = parent->probe.clock;
    prof_session_set_path(&p->session, parent->session.path);
    prof_set_log(&p->messages, parent->messages.log_path);
    p->process.forks_left = parent->process.forks_left;
    p->process.too_deep = parent->process.too_deep;
    p->process.thread = atomic_fetch_add(&thread_count, 1) + 1;
    p->phases.original_destruct = parent->phases.original_destruct;
    prof_watch_end(aTHX);
    call_atexit(context_end, p);
    if (parent->enabled.any)
        prof_begin_thread(aTHX_ p);
}
