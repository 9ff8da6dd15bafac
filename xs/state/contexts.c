#include "state/contexts.h"

#include "base/thread.h"
#include "context.h"
#include "basics/alloc.h"

#include <pthread.h>

static prof no_context; /* of no interpreter */
_Thread_local prof *prof_latest = &no_context;

static _Atomic(prof *) contexts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sigset_t signals_before; /* the mask of the thread that has the lock */

void prof_contexts_lock(void)
{
    const sigset_t before = nytp_signals_block();
    pthread_mutex_lock(&lock);
    signals_before = before;
}

void prof_contexts_unlock(void)
{
    const sigset_t before = signals_before;
    pthread_mutex_unlock(&lock);
    nytp_signals_restore(&before);
}

prof *prof_contexts_next(const prof *p)
{
    return p != NULL ? p->next : contexts;
}

prof *prof_find(const PerlInterpreter *perl)
{
    prof *p = contexts;
    while (p != NULL && p->perl != perl)
        p = p->next;
    if (p != NULL)
        prof_latest = p;
    return p;
}

/* Without ithreads, perl says the same interpreter on each thread. One that a C library has started has used
 * no context. */
const PerlInterpreter *prof_running_perl(void)
{
#ifndef USE_ITHREADS
    if (prof_latest == &no_context)
        return NULL;
#endif
    return PERL_GET_CONTEXT;
}

prof *prof_running(void)
{
    const PerlInterpreter *perl = prof_running_perl();
    if (perl == NULL)
        return NULL;
    return prof_latest->perl == perl ? prof_latest : prof_find(perl);
}

prof *prof_contexts_take(PerlInterpreter *perl)
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
