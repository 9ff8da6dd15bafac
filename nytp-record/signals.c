#include "signals.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t end_wanted, conclude_wanted, interrupted;

static void note(int signal_number)
{
    if (signal_number == SIGUSR1)
        conclude_wanted = 1;
    else
        end_wanted = 1;
    if (signal_number == SIGINT)
        interrupted = 1;
}

/* Ignored signals stay ignored (nohup). */
void record_signals_begin(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    struct sigaction ours = {.sa_handler = note}, before;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &ours, NULL);
}

bool record_signals_end_wanted(void)
{
    return end_wanted != 0;
}

bool record_signals_take_conclude(void)
{
    bool wanted = conclude_wanted != 0;
    conclude_wanted = 0;
    return wanted;
}

bool record_signals_was_interrupted(void)
{
    bool was = interrupted != 0;
    interrupted = 0;
    return was;
}
