/* Devel::NYTProf::Test: subs written in C, for tests of profilers. */
#ifndef PROF_TEST_H
#define PROF_TEST_H

#include "prof.h"

/* Runs action: a code reference, "eval" with the source arg, or "die". Does nothing if action is NULL or
 * false. */
void prof_test_action(pTHX_ SV *action, SV *arg);

/* Sleeps, and pushes four values on perl's stack, which must have space for them: the ticks that it took on
 * the clock in use, the ticks lost because they do not fit into 32 bits (always 0), the ticks in a second,
 * and the number of the clock. */
void prof_test_ticks(pTHX_ long us);

#endif
