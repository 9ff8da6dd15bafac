#include "heap/threads.h"

#include "base/thread.h"
#include "heap/addresses.h"

#include <pthread.h>

_Thread_local prof_heap_thread prof_heap_of_thread;

/* Protected by the lock. */
static prof_heap_thread *threads;
static prof_heap_totals of_ended;

static pthread_key_t key;
static bool has_key;

prof_heap_quiet prof_heap_pause(void)
{
    const prof_heap_quiet was = {nytp_signals_block(), prof_heap_of_thread.busy};
    prof_heap_of_thread.busy = true;
    return was;
}

void prof_heap_go_on(const prof_heap_quiet *was)
{
    prof_heap_of_thread.busy = was->busy;
    nytp_signals_restore(&was->signals);
}

static void add_to(prof_heap_totals *totals, const prof_heap_thread *t)
{
    totals->given += t->given_bytes;
    totals->returned += t->returned_bytes;
}

/* Gives the bytes of a thread to those that have ended. */
static void fold(prof_heap_thread *t)
{
    add_to(&of_ended, t);
    t->given_bytes = t->returned_bytes = 0;
}

static void take_out(const prof_heap_thread *t)
{
    prof_heap_thread **link = &threads;
    while (*link != NULL && *link != t)
        link = &(*link)->next;
    if (*link != NULL)
        *link = t->next;
}

/* What ends later in the thread frees memory, too. So this function asks to be called again, as often as the
 * system calls it. */
static void at_thread_end(void *thread)
{
    prof_heap_thread *t = thread;
    const prof_heap_quiet was = prof_heap_pause();
    prof_heap_lock();
    take_out(t);
    fold(t);
    t->random = 0;
    prof_heap_unlock();
    if (++t->ended < PTHREAD_DESTRUCTOR_ITERATIONS)
        pthread_setspecific(key, t);
    prof_heap_go_on(&was);
}

void prof_heap_threads_start(void)
{
    has_key = pthread_key_create(&key, at_thread_end) == 0;
}

void prof_heap_thread_add(void)
{
    prof_heap_thread *t = &prof_heap_of_thread;
    prof_heap_lock();
    t->next = threads;
    threads = t;
    prof_heap_unlock();
    if (has_key && t->ended == 0)
        pthread_setspecific(key, t);
}

/* Other threads change theirs meanwhile: a number is that of a moment just before or after. */
prof_heap_totals prof_heap_totals_now(void)
{
    prof_heap_totals sum = of_ended;
    for (const prof_heap_thread *t = threads; t != NULL; t = t->next)
        add_to(&sum, t);
    return sum;
}

void prof_heap_threads_forget_others(void)
{
    prof_heap_thread *own = NULL;
    for (prof_heap_thread *t = threads, *next; t != NULL; t = next) {
        next = t->next;
        if (t == &prof_heap_of_thread)
            own = t;
        else
            fold(t);
    }
    threads = own;
    if (own != NULL)
        own->next = NULL;
}
