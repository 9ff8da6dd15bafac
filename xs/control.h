/* The functions that perl code can call to control profiling. Those that return bool return whether profiling
 * was enabled before. */
#pragma once

#include "prof.h"

/* Enables profiling into `file`. If another file is open, completes that first. NULL or empty: keeps the
 * current file. */
bool prof_enable(pTHX_ const char *file);

/* Enables profiling before a statement of the program runs. */
bool prof_begin_profile(pTHX);

/* Disables profiling. The file stays open. */
bool prof_disable(pTHX);

/* Disables profiling and completes the file. */
bool prof_finish(pTHX);

/* Sets an option of the NYTPROF variable. */
void prof_set_option(pTHX_ const char *key, const char *value);
