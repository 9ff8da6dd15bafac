/* What is recorded at the moment. */
#ifndef PROF_ENABLED_H
#define PROF_ENABLED_H

#include "prof.h"

typedef struct prof_enabled {
    bool any; /* profiling is enabled */
    bool stmts, subs;
} prof_enabled;

/* Switches recording on or off. When it is on, the options say what is recorded. While it is off, a
 * checkpoint is always due, so prof_probe_begin() returns false for an event that has begun to run code of
 * the program while recording was on: that code may have switched it off, and closed the output. */
void prof_enabled_set(prof *p, bool on);

#endif
