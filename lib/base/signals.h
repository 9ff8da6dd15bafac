/* Signals of a thread that must not be interrupted for a while. */
#pragma once

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
