#include "fork.h"

#include "exit.h"
#include "hot.h"

#include <pthread.h>

void prof_process_init(prof_process *process)
{
    process->pid = getpid();
}

void prof_process_clear(prof_process *process)
{
    memset(process, 0, sizeof *process);
}

/* ---- in fork() ---- */

/* Leaves out outputs that a child has inherited: they belong to the parent, and their locks are held. */
static void each_output(void (*act)(prof_output *output))
{
    for (prof *p = prof_contexts_next(NULL); p != NULL; p = prof_contexts_next(p))
        if (p->out != NULL && !p->process.forked_child && p->process.pid == getpid())
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

/* Only marks the contexts, because most children call exec at once. */
static void after_fork_in_child(void)
{
    for (prof *p = prof_contexts_next(NULL); p != NULL; p = prof_contexts_next(p)) {
        if (p->perl != NULL) {
            p->process.forked_child = true;
            p->process.forks_unseen++;
            p->probe.checkpoint_at = 0;
        }
    }
    prof_contexts_unlock();
}

void prof_watch_forks(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* ---- at the next event ---- */

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
    const uint64_t now = prof_now(&p->probe.clock);
    p->process.forked_child = false;
    p->process.pid = getpid();
    p->process.is_child = true;
    prof_watch_thread(p);
    if (p->out != NULL)
        prof_output_abandon(p->out);
    p->out = NULL;
    prof_arcs_forget(&p->arcs);
    prof_coroutines_restart(p, prof_active_ticks(p, now));
    prof_statement_restart(p, now);
    prof_statement_drop(p);
    prof_probe_schedule(&p->probe, now);
    count_forks(&p->process, &p->options);
    if (p->process.too_deep || (p->enabled.any && !prof_session_open(aTHX_ p)))
        prof_enabled_set(p, false);
}

bool prof_notice_fork(pTHX_ prof *p)
{
    if (!is_unnoticed_child(&p->process))
        return false;
    become_process(aTHX_ p);
    return true;
}
