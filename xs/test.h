/* Devel::NYTProf::Test: subs written in C, for tests of profilers. */
#ifndef PROF_TEST_H
#define PROF_TEST_H

#include "prof.h"

/* action: code to call, "eval" (arg is the source) or "die"; NULL or anything false: nothing. */
void prof_test_action(pTHX_ SV *action, SV *arg);

/* Pushes ticks that a usleep of us took, overflow, ticks per second, clock id on perl's stack, which has
 * room. */
void prof_test_ticks(pTHX_ long us);

#endif
