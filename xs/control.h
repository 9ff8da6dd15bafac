/* Control at run time: what perl code can call. The functions that return bool return whether profiling was
 * enabled before. */
#ifndef PROF_CONTROL_H
#define PROF_CONTROL_H

#include "prof.h"

/* Enables profiling. Writes to file, after completing the current file if that is another one. file NULL or
 * empty: keeps the current file. */
bool prof_enable(pTHX_ const char *file);

/* Enables profiling before a statement of the program runs. */
bool prof_begin_profile(pTHX);

bool prof_disable(pTHX);

/* Disables profiling and completes the file. */
bool prof_finish(pTHX);

void prof_set_option(pTHX_ const char *key, const char *value);

#endif
