/* Signals: what one has interrupted, and handlers that perl runs at once. Those are the handlers of
 * POSIX::sigaction() that are not safe(1), and all with PERL_SIGNALS=unsafe. If the signal has interrupted
 * malloc(), such a handler would wait for the lock of malloc() for ever, since glibc's takes one as soon as
 * the process has had a second thread, the one that writes. If it has interrupted the collector, the handler
 * would find half of a change. Then the signal waits until perl looks for signals, which it does between most
 * ops.
 */
#pragma once

#include "prof.h"

#include <signal.h>

enum { PROF_SIGNALS_MAX = 8 };

/* Signals that wait, in the order in which they came; each number once, as in the kernel. */
typedef struct prof_at_once {
    int count;
    struct prof_waiting_signal {
        int number;
        bool has_info;
        siginfo_t info;
    } waiting[PROF_SIGNALS_MAX];
} prof_at_once;

/* Finds what matters for the functions below, and takes the place of perl's functions that run such handlers.
 */
void prof_at_once_start(pTHX);

/* Returns whether a handler of the interpreter may interrupt malloc(), as far as that is known at the start.
 */
bool prof_at_once_interrupts(pTHX);

/* Returns whether a handler of a signal runs. Looks no further than perl, which no handler in C may call. */
bool prof_in_handler(void);
