/* The life of a context: loading, threads, the end of the interpreter. */
#pragma once

#include "prof.h"

/* Loads the collector: reads the options, sets $^P, and replaces op handlers. Profiling begins later, when
 * the option start says so, or with prof_enable(). */
void prof_load(pTHX);

/* Makes a context for the interpreter of a new ithread, if its parent has one. */
void prof_clone(pTHX);
