/* When profiling begins and ends by itself: perl's phases, signals, POSIX::_exit. */
#ifndef PROF_PHASES_H
#define PROF_PHASES_H

#include "prof.h"

typedef struct prof_phases {
    thrhook_proc_t original_destruct; /* what perl would have called at its end */
    bool begins_at_end;               /* with start=end, if there was no END block to begin before */
} prof_phases;

void prof_phases_clear(prof_phases *phases);

/* Does what the options ask for when the collector is loaded: DB::DB, POSIX::_exit, the phases. */
void prof_phases_prepare(pTHX_ prof *p);

/* The modules are loaded: begins with start=begin. Sets errno to errno_before. */
void prof_begin(pTHX_ int errno_before);

/* Has the profile finished after the last END block. This is not done by an END block of our own: with one,
 * perl would clear $@, and destroy an object in it. threads.pm takes the same hook when it is loaded, so the
 * hook is taken again when the program is compiled, and at the first call of each sub. */
void prof_watch_end(pTHX);

/* Whether perl calls the CV for us in a phase. Its calls are not the program's. */
bool prof_is_phase(const CV *cv);

/* The signals of the option sigexit, and their handler. */
const char *prof_signals(pTHX);
void prof_exit_on_signal(pTHX);

#endif
