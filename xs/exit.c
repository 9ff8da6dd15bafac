#include "exit.h"

#include "context.h"

#include <pthread.h>

static pthread_t ending_thread;

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

/* Stops detached threads, which run while the process ends. They stop at their next event. A thread without
 * an event for PATIENCE_MS that is not writing waits in a system call or computes in C, and records nothing.
 */
static void stop_others(const void *current)
{
    enum { PATIENCE_MS = 20 };
    bool all = false;
    for (int ms = 0; ms < PATIENCE_MS && !all;) {
        bool any_writes = false;
        all = true;
        for (prof *p = prof_contexts_next(NULL); p != NULL; p = prof_contexts_next(p)) {
            if (has_own_output(p) && p->perl != current && !p->process.stopped) {
                p->process.ends = true;
                p->probe.checkpoint_at = 0;
                all = false;
                any_writes = any_writes || is_writing(p);
            }
        }
        if (!all)
            usleep(1000);
        ms = any_writes ? 0 : ms + 1;
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
    const void *current = PERL_GET_CONTEXT;
    prof *own = NULL;
    prof_contexts_lock();
    ending_thread = pthread_self();
    stop_others(current);
    for (prof *p = prof_contexts_next(NULL); p != NULL; p = prof_contexts_next(p)) {
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

void prof_watch_exit(void)
{
    atexit(at_exit);
    can_watch = pthread_key_create(&watched, at_thread_end) == 0;
}

void prof_watch_thread(prof *p)
{
    if (can_watch)
        pthread_setspecific(watched, p);
}

void prof_unwatch_thread(const prof *p)
{
    if (can_watch && pthread_getspecific(watched) == p)
        pthread_setspecific(watched, NULL);
}
