/* When profiling begins and ends by itself: perl's phases, signals, POSIX::_exit. */
#ifndef PROF_PHASES_H
#define PROF_PHASES_H

#include "prof.h"

/* Loads the collector, and sees to it that it hears of perl's phases. */
void prof_prepare(pTHX);
/* The modules are loaded: start=begin is now. Leaves errno as given. */
void prof_begin(pTHX_ int errno_before);

/* The profile is to be finished after the last END block. Not by an END block of our own: with one, perl
 * clears $@ where it would not without, and destroys the object that is in there. threads.pm takes the place
 * that this is done at when it is loaded, so it is asked for again when the program is compiled and when a
 * sub is new. */
void prof_watch_end(pTHX);

/* Whether the CV is one that perl calls for us in a phase. Its calls are not the program's. */
bool prof_is_phase(const CV *cv);

/* sigexit: the names of the signals, and their handler. */
const char *prof_signals(pTHX);
void prof_exit_on_signal(pTHX);

#endif
