/* When profiling begins and ends without a call from the program: perl's phases, signals, POSIX::_exit. */
#pragma once

#include "prof.h"

typedef struct prof_phases {
    thrhook_proc_t original_destruct; /* what perl would have called at its end */
    bool begins_at_end;               /* start=end, and the program had no END block before which to begin */
} prof_phases;

/* Prepares what the options ask for when the collector is loaded: DB::DB, POSIX::_exit, the phases. */
void prof_phases_prepare(pTHX_ prof *p);

/* Call it when the modules are loaded: begins profiling if start=begin. Sets errno to errno_before. */
void prof_begin(pTHX_ int errno_before);

/* Makes perl finish the profile after the last END block, by PL_threadhook. An END block of our own would not
 * do: for one, perl clears $@, and destroys an object in it. threads.pm takes the same hook when it is
 * loaded, so the hook is taken again when the program is compiled, and at the first call of each sub. */
void prof_watch_end(pTHX);

/* Returns whether the CV is ours, called by perl in a phase. Such calls are not recorded. */
bool prof_is_phase(const CV *cv);

/* Returns the names of the signals of the option sigexit, with blanks between them. */
const char *prof_signals(pTHX);

/* The handler of those signals: finishes the profile and exits. */
void prof_exit_on_signal(pTHX);
