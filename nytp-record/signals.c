#include "processes.h"

#include "cli/sibling.h"

#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static volatile sig_atomic_t end_wanted, conclude_wanted, pause_wanted, interrupted, own;
static bool
    is_in_background; /* a shell without job control has started this program, and ignores SIGINT for it */

static void note(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    if (signal_number == SIGINT && is_in_background && info->si_code == SI_KERNEL)
        return;
    if (signal_number == SIGUSR1)
        conclude_wanted = 1;
    else if (signal_number == SIGTSTP)
        pause_wanted = 1;
    else
        end_wanted = 1;
    if (signal_number != SIGUSR1 && signal_number != SIGTSTP && !nytp_job_program_has(signal_number, info))
        own = signal_number;
    if (signal_number == SIGINT)
        interrupted = 1;
}

/* Ignored signals stay ignored (nohup). But a shell ignores SIGINT for what a script starts with `&` only so
 * that Ctrl-C, which the terminal sends to all, does not end that, and kill(1) has no other way. */
static void begin(int signal_number)
{
    struct sigaction ours = {.sa_sigaction = note, .sa_flags = SA_SIGINFO}, before;
    const bool is_ignored = sigaction(signal_number, NULL, &before) != 0 || before.sa_handler == SIG_IGN;
    if (signal_number == SIGINT)
        is_in_background = is_ignored;
    if (!is_ignored || signal_number == SIGINT)
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
    if (sigaction(SIGTSTP, NULL, &now) == 0 && now.sa_sigaction == note)
        signal(SIGTSTP, SIG_DFL);
    if (record_signals_take_pause())
        raise(SIGTSTP);
}

bool record_signals_end_wanted(void)
{
    return end_wanted != 0;
}

static bool read_and_clear(volatile sig_atomic_t *noted)
{
    bool was = *noted != 0;
    *noted = 0;
    return was;
}

bool record_signals_take_end(void)
{
    return read_and_clear(&end_wanted);
}

int record_signals_take_own(void)
{
    const int was = own;
    own = 0;
    return was;
}

bool record_signals_take_pause(void)
{
    return read_and_clear(&pause_wanted);
}

bool record_signals_take_conclude(void)
{
    return read_and_clear(&conclude_wanted);
}

bool record_signals_was_interrupted(void)
{
    return read_and_clear(&interrupted);
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
    siginfo_t info;
    int signal_number = sigwaitinfo(&set, &info);
    if (signal_number > 0 && signal_number != SIGCHLD)
        note(signal_number, &info, NULL);
}

void record_signals_let_go(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}
