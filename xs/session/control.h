/* The functions that perl code can call to control profiling. Those that return bool return whether profiling
 * was enabled before. */
#pragma once

#include "prof.h"

/* Enables profiling into `file`, also in a generation that forkdepth leaves out. If another file is open,
 * completes that first. NULL or empty: keeps the current file. Croaks with strict=1 if the file cannot be
 * written. */
bool prof_enable(pTHX_ const char *file);

/* Begins the profile of the program, before a statement of it runs. Croaks as prof_enable() does. */
void prof_begin_profile(pTHX);

/* Begins the profile of a new thread. With strict=1, too, the thread goes on if that cannot be done, as a
 * forked child does. */
void prof_begin_thread(pTHX_ prof *p);

/* Disables profiling. The file stays open. */
bool prof_disable(pTHX);

/* Disables profiling and completes the file. */
bool prof_finish(pTHX);

/* Gives this moment a name, for profiles of memory. Returns whether memory is followed. */
bool prof_heap_snapshot(pTHX_ const char *name);

/* Sets an option of the NYTPROF variable. */
void prof_set_option(pTHX_ const char *key, const char *value);
