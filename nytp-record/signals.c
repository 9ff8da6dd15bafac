#include "signals.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static volatile sig_atomic_t end_wanted, conclude_wanted, pause_wanted, interrupted;

static void note(int signal_number)
{
    if (signal_number == SIGUSR1)
        conclude_wanted = 1;
    else if (signal_number == SIGTSTP)
        pause_wanted = 1;
    else
        end_wanted = 1;
    if (signal_number == SIGINT)
        interrupted = 1;
}

/* Ignored signals stay ignored (nohup). */
static void begin(int signal_number)
{
    struct sigaction ours = {.sa_handler = note}, before;
    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(signal_number, &ours, NULL);
}

void record_signals_begin(bool with_pause)
{
    for (size_t i = 0; i < SIGNALS; i++)
        begin(signals[i]);
    if (with_pause)
        begin(SIGTSTP);
}

void record_signals_end_pause(void)
{
    struct sigaction now;
    if (sigaction(SIGTSTP, NULL, &now) == 0 && now.sa_handler == note)
        signal(SIGTSTP, SIG_DFL);
    if (record_signals_take_pause())
        raise(SIGTSTP);
}

bool record_signals_end_wanted(void)
{
    return end_wanted != 0;
}

static bool take(volatile sig_atomic_t *noted)
{
    bool was = *noted != 0;
    *noted = 0;
    return was;
}

bool record_signals_take_pause(void)
{
    return take(&pause_wanted);
}

bool record_signals_take_conclude(void)
{
    return take(&conclude_wanted);
}

bool record_signals_was_interrupted(void)
{
    return take(&interrupted);
}

static sigset_t awaited(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaddset(&set, signals[i]);
    return set;
}

void record_signals_hold(sigset_t *before)
{
    const sigset_t set = awaited();
    sigprocmask(SIG_BLOCK, &set, before);
}

/* A signal that is ignored (nohup) never comes. */
void record_signals_wait(void)
{
    const sigset_t set = awaited();
    int signal_number = sigwaitinfo(&set, NULL);
    if (signal_number > 0 && signal_number != SIGCHLD)
        note(signal_number);
}

void record_signals_let_go(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}
