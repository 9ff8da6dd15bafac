/* Threads of our own in a program that is not ours, and signals of a thread that must not be interrupted for
 * a while. */
#pragma once

#include <pthread.h>
#include <signal.h>

/* Blocks all signals of the calling thread. Returns those that were blocked before. */
static inline sigset_t nytp_signals_block(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    return before;
}

static inline void nytp_signals_restore(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* Like pthread_create(), and returns what that returns. The thread has a small stack and blocks all signals,
 * which are for the program's own threads. */
int nytp_thread_start(pthread_t *thread, void *(*work_of)(void *), void *argument);
