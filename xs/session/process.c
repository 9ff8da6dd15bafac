#include "session/process.h"

#include "heap/heap.h"
#include "heap/samples.h"
#include "heap/stream.h"
#include "record/coroutines.h"
#include "session/marks.h"
#include "hot.h"

#include <pthread.h>

void prof_process_init(prof_process *process)
{
    static _Atomic unsigned interpreters;
    process->pid = getpid();
    process->interpreter = atomic_fetch_add(&interpreters, 1);
}

static pthread_t ending_thread; /* the thread that ends the process */

void prof_stop_if_process_ends(prof *p)
{
    if (!p->process.ends || pthread_equal(pthread_self(), ending_thread))
        return;
    p->process.stopped = true;
    for (;;)
        pause();
}

static bool has_own_output(const prof *p)
{
    return p->out != NULL && p->process.pid == getpid() && !p->process.forked_child;
}

/* Whether the thread of a context uses its output, or waits until earlier blocks are written. It goes on when
 * that is done, and stops at its next event. */
static bool is_writing(const prof *p)
{
    return p->process.saves || prof_output_waits(p->out);
}

enum { PATIENCE_MS = 20 };

/* Whether the thread of a context waits for a processor, or has not run long since it was to stop. */
static bool may_have_event(prof *p)
{
    uint64_t run_ns;
    if (!prof_cpu_times_can_run(&p->session.cpu_times, &run_ns))
        return false;
    if (p->process.ran_ns == 0)
        p->process.ran_ns = run_ns;
    return run_ns - p->process.ran_ns < PATIENCE_MS * UINT64_C(1000000);
}

/* Stops detached threads, which run while the process ends. They stop at their next event. A thread that has
 * none for PATIENCE_MS, while it can run and does not write, waits in a system call or computes in C, and
 * records nothing. */
static void stop_others(const void *current)
{
    bool all = false;
    for (int ms = 0; ms < PATIENCE_MS && !all;) {
        bool any_goes_on = false;
        all = true;
        PROF_EACH_CONTEXT(p) {
            if (has_own_output(p) && p->perl != current && !p->process.stopped) {
                p->process.ends = true;
                p->probe.checkpoint_at = 0;
                all = false;
                any_goes_on = any_goes_on || is_writing(p) || may_have_event(p);
            }
        }
        if (!all)
            usleep(1000);
        ms = any_goes_on ? 0 : ms + 1;
    }
}

static void disable(prof *p)
{
    p->enabled = (prof_enabled){0};
}

/* Closes the outputs that perl_destruct() has not closed: those of other interpreters and threads, and our
 * own if C code has called exit(). */
static void at_exit(void)
{
    const void *current = prof_running_perl();
    prof *own = NULL;
    prof_contexts_lock();
    ending_thread = pthread_self();
    stop_others(current);
    PROF_EACH_CONTEXT(p) {
        dTHXa(p->perl);
        if (p->perl == current) {
            own = p;
        } else if (has_own_output(p)) {
            disable(p);
            prof_session_end(aTHX_ p, false);
        }
    }
    prof_contexts_unlock();
    if (own == NULL || own->process.pid != getpid() || own->process.forked_child)
        return;
    dTHXa(own->perl);
    disable(own);
    prof_session_close(aTHX_ own, PL_phase < PERL_PHASE_DESTRUCT);
}

static pthread_key_t watched;
static bool can_watch;

static void at_thread_end(void *context)
{
    prof *p = context;
    dTHXa(p->perl);
    if (!has_own_output(p))
        return;
    disable(p);
    prof_session_close(aTHX_ p, true);
}

/* In a forked child: completes the output of the calling thread when that thread ends. If it is not the
 * process's first thread, the process ends with it, unless another thread runs; the writing thread would. */
static void watch_thread(prof *p)
{
    if (can_watch)
        pthread_setspecific(watched, p);
}

void prof_unwatch_thread(const prof *p)
{
    if (can_watch && pthread_getspecific(watched) == p)
        pthread_setspecific(watched, NULL);
}

/* Leaves out outputs that a child has inherited: they belong to the parent, and their locks are held. */
static void each_output(void (*act)(prof_output *output))
{
    PROF_EACH_CONTEXT(p)
        if (has_own_output(p))
            act(p->out);
}

static void before_fork(void)
{
    prof_contexts_lock();
    each_output(prof_output_before_fork);
    if (prof_heap_runs())
        prof_samples_before_fork();
}

static void after_fork_in_parent(void)
{
    if (prof_heap_runs())
        prof_samples_after_fork(false);
    each_output(prof_output_after_fork_in_parent);
    prof_contexts_unlock();
}

/* Only marks the contexts, because most children call exec at once. */
static void after_fork_in_child(void)
{
    if (prof_heap_runs())
        prof_samples_after_fork(true);
    PROF_EACH_CONTEXT(p) {
        if (p->perl != NULL) {
            p->process.forked_child = true;
            p->process.forks_unseen++;
            p->probe.checkpoint_at = 0;
        }
    }
    prof_contexts_unlock();
}

void prof_watch_process(void)
{
    atexit(at_exit);
    can_watch = pthread_key_create(&watched, at_thread_end) == 0;
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* Also detects forks made with syscall(2), which bypass pthread_atfork(). */
static bool is_unnoticed_child(prof_process *process)
{
    if (!process->forked_child && process->pid != getpid()) {
        process->forked_child = true;
        process->forks_unseen++;
    }
    return process->forked_child;
}

/* Counts the generations. As in stock, the option forkdepth is lower by one in each. */
static void count_forks(prof_process *process, prof_options *options)
{
    options->forkdepth -= process->forks_unseen;
    if (process->forks_left >= 0) {
        process->too_deep = process->too_deep || process->forks_left < process->forks_unseen;
        process->forks_left = process->too_deep ? 0 : process->forks_left - process->forks_unseen;
    }
    process->forks_unseen = 0;
}

static void become_process(pTHX_ prof *p)
{
    const uint64_t now = prof_now(p);
    p->process.forked_child = false;
    p->process.pid = getpid();
    p->process.is_child = true;
    if (prof_heap_runs()) {
        prof_samples_notice_fork();
        prof_samples_give_others_to(p);
    }
    watch_thread(p);
    if (p->out != NULL)
        prof_output_abandon(p->out);
    p->out = NULL;
    prof_requests_forget(&p->requests);
    prof_coroutines_restart(aTHX_ p, prof_active_ticks(p, now));
    prof_statement_restart(p, now);
    prof_probe_schedule(&p->probe, now);
    count_forks(&p->process, &p->options);
    if (p->process.too_deep || (p->enabled.any && !prof_session_open(aTHX_ p)))
        prof_enabled_set(p, false);
    if (p->enabled.stmts)
        prof_statement_go_on(p);
    else
        prof_statement_drop(p);
}

bool prof_notice_fork(pTHX_ prof *p)
{
    if (!is_unnoticed_child(&p->process))
        return false;
    become_process(aTHX_ p);
    return true;
}

static void save_all(pTHX_ prof *p, uint64_t now)
{
    if (prof_heap_runs())
        prof_heap_look();
    prof_session_save(aTHX_ p, now);
    prof_probe_schedule(&p->probe, now);
}

static void save(pTHX_ prof *p, uint64_t now)
{
    prof_stop_if_process_ends(p);
    dSAVE_ERRNO;
    prof_probe_note_unusual(p);
    if (prof_notice_fork(aTHX_ p)) { /* the interval has begun before the child's output has */
        p->session.opened_overhead += p->session.opened_at - now;
    } else {
        prof_probe *probe = &p->probe;
        const bool went_back = now < probe->checkpoint_at;
        const bool is_due = now >= probe->save_at || went_back;
        if (is_due && (prof_clock_refine(&probe->clock, now - probe->overhead) || went_back))
            prof_session_restart(&p->session, now);
        if (p->session.resumes && p->out != NULL)
            prof_session_resume(p);
        if (p->enabled.any) { /* otherwise a checkpoint remains due (probe.h) */
            p->process.saves = true;
            prof_waits_look_again(p, prof_active_ticks(p, now));
            prof_clock_marks_write(p, now, false);
            prof_memory_marks_write(aTHX_ p, now, false);
            prof_evals_expect_mark(p, now);
            if (now >= probe->records_at)
                prof_stream_write(aTHX_ p, now, true);
            prof_probe_wait(probe);
            if (is_due)
                save_all(aTHX_ p, now);
            p->process.saves = false;
        }
    }
    RESTORE_ERRNO;
}

bool prof_checkpoint(pTHX_ prof *p, uint64_t now)
{
    if (!prof_before_checkpoint(p, now))
        save(aTHX_ p, now);
    prof_coroutines_switch(aTHX_ p, now);
    return p->enabled.any;
}
