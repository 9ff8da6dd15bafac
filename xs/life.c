/* Process life: loading, forks, threads, the end. */
#include "calls.h"
#include "phases.h"
#include "slowops.h"

#include <pthread.h>

_Thread_local prof *prof_latest;
Perl_ppaddr_t prof_original[MAXO + 1];

/* Every context of the process, for fork() and exit(), and those that are nobody's at the moment. */
static _Atomic(prof *) contexts;
static _Atomic unsigned thread_count;
static pthread_mutex_t contexts_lock = PTHREAD_MUTEX_INITIALIZER;

void prof_contexts_lock(void)
{
    pthread_mutex_lock(&contexts_lock);
}

void prof_contexts_unlock(void)
{
    pthread_mutex_unlock(&contexts_lock);
}

/* ---- op handlers, process-wide ---- */

static void replace(int op_type, Perl_ppaddr_t handler)
{
    if (prof_original[op_type] == NULL) {
        prof_original[op_type] = PL_ppaddr[op_type];
        PL_ppaddr[op_type] = handler;
    }
}

static void replace_by(const prof_handler *handler)
{
    replace(handler->op_type, handler->run);
}

static void replace_statement_ops(const prof_options *o)
{
    if (!o->stmts || o->use_db_sub)
        return;
    replace(OP_NEXTSTATE, prof_pp_nextstate);
    replace(OP_DBSTATE, prof_pp_dbstate);
    if (!o->leave)
        return;
    prof_each_leave(replace_by);
    if (o->slowops == 0) /* else it is a built-in that is called, with subs=0 too */
        replace(OP_LEAVEWRITE, prof_pp_leavewrite);
    replace(OP_EXIT, prof_pp_exit);
}

/* Called with contexts_lock. Only what the options ask for: what is not replaced costs nothing. */
static void replace_ops(const prof_options *o)
{
    replace(OP_EXEC, prof_pp_exec);
    replace(OP_ACCEPT, prof_pp_accept);
    replace(OP_SYSCALL, prof_pp_syscall);
    if (o->subs) {
        replace(OP_ENTERSUB, prof_pp_entersub);
        replace(OP_GOTO, prof_pp_goto);
        if (o->slowops > 0)
            prof_each_slowop(replace_by);
    }
    replace_statement_ops(o);
}

/* ---- fork ---- */

/* What a child has inherited is not its own, and its lock is as it was: held. */
static void each_output(void (*act)(prof_output *output))
{
    for (prof *p = contexts; p != NULL; p = p->next)
        if (p->out != NULL && !p->forked_child && p->pid == getpid())
            act(p->out);
}

static void before_fork(void)
{
    prof_contexts_lock();
    each_output(prof_output_before_fork);
}

static void after_fork_in_parent(void)
{
    each_output(prof_output_after_fork_in_parent);
    prof_contexts_unlock();
}

/* No more than a mark: most children only exec. */
static void after_fork_in_child(void)
{
    for (prof *p = contexts; p != NULL; p = p->next) {
        if (p->perl != NULL) {
            p->forked_child = true;
            p->forks_unseen++;
            p->checkpoint_at = 0;
        }
    }
    prof_contexts_unlock();
}

/* ---- contexts ---- */

prof *prof_find(const PerlInterpreter *perl)
{
    prof *p = contexts;
    while (p != NULL && p->perl != perl)
        p = p->next;
    if (p != NULL)
        prof_latest = p;
    return p;
}

/* Of those that are nobody's, or a new one. */
static prof *context_take(PerlInterpreter *perl)
{
    prof_contexts_lock();
    prof *p = contexts;
    while (p != NULL && p->perl != NULL)
        p = p->next;
    if (p == NULL) {
        p = prof_alloc(sizeof *p);
        p->next = contexts;
        contexts = p;
    }
    p->perl = perl;
    prof_contexts_unlock();
    return p;
}

/* Where the clones of an interpreter find its context. */
static SV *noted_context(pTHX_ bool create)
{
    SV **note = hv_fetchs(PL_modglobal, "Devel::NYTProf", create);
    return note != NULL ? *note : NULL;
}

static prof *context_new(pTHX)
{
    prof *p = context_take(PROF_PERL);
    sv_setuv(noted_context(aTHX_ true), PTR2UV(p));
    p->file_names = prof_table_new();
    p->piece_names = prof_table_new();
    p->sub_names = prof_table_new();
    p->places = prof_alloc((PROF_PLACES + 1) * sizeof *p->places);
    p->places->cop = (const COP *)p; /* of all slots the one that a NULL is looked for in: it is not there */
    p->calls = prof_alloc((PROF_CALLS + 1) * sizeof *p->calls);
    p->runtime_sub = p->null_sub = PROF_SUB_NONE;
    p->checkpoint_at = UINT64_MAX;
    p->pid = getpid();
    return p;
}

static void context_free(prof *p)
{
    for (uint32_t i = 0; i < prof_table_count(p->sub_names); i++)
        free(p->subs[i].encoded);
    for (uint32_t i = 0; i < prof_file_count(p); i++)
        free(p->files[i].name);
    prof_table_free(p->sub_names);
    prof_table_free(p->file_names);
    prof_table_free(p->piece_names);
    free(p->piece_fids);
    free(p->subs);
    free(p->files);
    free(p->places);
    free(p->calls);
    free(p->frames);
    free(p->arcs);
    free(p->arc_slots);
    free(p->path);
    prof_options_free(&p->options);
    memset(&p->out, 0, sizeof *p - offsetof(prof, out));
    p->perl = NULL;
}

/* Of perl's own list of what to do at its end. */
static void context_end(pTHX_ void *context)
{
    prof *p = context;
    if (p->perl != PROF_PERL) /* the list of a clone has its parent's entries */
        return;
    prof_finish(aTHX);
    prof_names_free(aTHX_ p);
    prof_contexts_lock();
    context_free(p);
    prof_contexts_unlock();
}

/* ---- exit() ---- */

static pthread_t ending_thread;

void prof_stop_if_process_ends(prof *p)
{
    if (!p->ends || pthread_equal(pthread_self(), ending_thread))
        return;
    p->stopped = true;
    for (;;)
        pause();
}

static bool is_of_another(const prof *p, const void *current)
{
    return p->out != NULL && p->pid == getpid() && !p->forked_child && p->perl != current;
}

/* Detached threads run on. They stop at the next event; those that have none soon are in a call that waits,
 * or works for long. */
static void stop_others(const void *current)
{
    enum { PATIENCE_MS = 20 };
    bool all = false;
    for (int ms = 0; ms < PATIENCE_MS && !all; ms++) {
        all = true;
        for (prof *p = contexts; p != NULL; p = p->next) {
            if (is_of_another(p, current) && !p->stopped) {
                p->ends = true;
                p->checkpoint_at = 0;
                all = false;
            }
        }
        if (!all)
            usleep(1000);
    }
}

/* What perl's own end has not closed: another interpreter's or thread's, or this one's when C called exit().
 */
static void at_exit(void)
{
    const void *current = PERL_GET_CONTEXT;
    prof *own = NULL;
    prof_contexts_lock();
    ending_thread = pthread_self();
    stop_others(current);
    for (prof *p = contexts; p != NULL; p = p->next) {
        dTHXa(p->perl);
        if (p->perl == current)
            own = p;
        if (!is_of_another(p, current))
            continue;
        p->enabled = p->stmts_on = p->subs_on = false;
        prof_session_end(aTHX_ p, false);
    }
    prof_contexts_unlock();
    if (own == NULL || own->pid != getpid() || own->forked_child)
        return;
    dTHXa(own->perl);
    own->enabled = own->stmts_on = own->subs_on = false;
    prof_session_close(aTHX_ own, PL_phase < PERL_PHASE_DESTRUCT);
}

/* ---- exec ---- */

static void exec_failed(pTHX_ void *context)
{
    prof *p = context;
    dSAVE_ERRNO;
    if (p->out != NULL) /* what ties and overloads its arguments is perl code too, and may have closed it */
        prof_session_resume(p);
    RESTORE_ERRNO;
}

/* If it succeeds nothing comes after, so the file must be whole; if it fails, or dies of that, the program
 * goes on, and so do we. */
OP *prof_pp_exec(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL || p->out == NULL || p->forked_child)
        return prof_original[OP_EXEC](aTHX);
    if (p->stmts_on && p->options.leave)
        prof_leave_statement(aTHX_ p);
    prof_session_end_for_now(aTHX_ p);
    ENTER;
    SAVEDESTRUCTOR_X(exec_failed, p);
    OP *next = prof_original[OP_EXEC](aTHX);
    LEAVE;
    return next;
}

/* ---- loading ---- */

/* What perl is to note and keep; the module has set the bits that are always needed. */
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

void prof_load(pTHX)
{
    static bool process_is_watched;
    prof_options options = {0};
    prof_options_parse(aTHX_ & options, PerlEnv_getenv("NYTPROF")); /* may die: then there is no context */
    prof *p = context_new(aTHX);
    p->options = options;
    prof_clock_start(&p->clock, p->options.clock);
    p->options.clock = (int)p->clock.id;
    prof_set_path(p, p->options.file);
    prof_set_log(p);
    p->forks_left = p->options.forkdepth;
    set_perldb(aTHX_ & p->options);
    call_atexit(context_end, p);
    prof_contexts_lock();
    replace_ops(&p->options);
    if (!process_is_watched) {
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
        atexit(at_exit);
    }
    process_is_watched = true;
    prof_contexts_unlock();
}

/* ---- threads ---- */

static void copy_options(prof_options *to, const prof_options *from)
{
    *to = *from;
    to->file = from->file != NULL ? prof_strdup(from->file) : NULL;
    to->log = from->log != NULL ? prof_strdup(from->log) : NULL;
    to->sigexit = from->sigexit != NULL ? prof_strdup(from->sigexit) : NULL;
}

void prof_clone(pTHX)
{
    SV *note = noted_context(aTHX_ false);
    const prof *parent = note != NULL ? INT2PTR(const prof *, SvUV(note)) : NULL;
    if (parent == NULL || parent->perl == NULL || parent->perl == PROF_PERL)
        return;
    prof *p = context_new(aTHX);
    copy_options(&p->options, &parent->options);
    p->clock = parent->clock;
    prof_set_path(p, parent->path);
    p->forks_left = parent->forks_left;
    p->too_deep = parent->too_deep;
    p->thread = atomic_fetch_add(&thread_count, 1) + 1;
    p->destruct_below = parent->destruct_below;
    prof_watch_end(aTHX);
    call_atexit(context_end, p);
    if (parent->enabled)
        prof_begin_profile(aTHX);
}
