/* What signals ask for. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* From here on SIGINT, SIGTERM and SIGHUP ask for the end, SIGUSR1 for a complete file. with_pause: SIGTSTP,
 * which Ctrl-Z sends, asks for a pause. */
void record_signals_begin(bool with_pause);

/* SIGTSTP stops this program again, as it does by default. */
void record_signals_end_pause(void);

bool record_signals_end_wanted(void);
bool record_signals_take_end(void); /* whether one of the three came since the last time */

/* Returns the last of the three that came to this process alone since the last time; 0 if none did. The
 * terminal sends Ctrl-C to the command, too. */
int record_signals_take_own(void);

bool record_signals_take_pause(void);      /* whether SIGTSTP came since the last time */
bool record_signals_take_conclude(void);   /* whether SIGUSR1 came since the last time */
bool record_signals_was_interrupted(void); /* the same for SIGINT */

/* To wait for a signal without losing one that comes before the wait: from record_signals_hold() on, signals
 * that ask for something, and that of a child that has ended, are kept for record_signals_wait(), which
 * returns after one of them. *before: for record_signals_let_go(). */
void record_signals_hold(sigset_t *before);
void record_signals_wait(void);
void record_signals_let_go(const sigset_t *before);
