/* What is recorded at the moment. */
#ifndef PROF_ENABLED_H
#define PROF_ENABLED_H

#include "prof.h"

typedef struct prof_enabled {
    bool any; /* profiling is enabled */
    bool stmts, subs;
} prof_enabled;

/* Switches recording on or off. When it is on, the options say what is recorded. */
void prof_enabled_set(prof *p, bool on);

#endif
