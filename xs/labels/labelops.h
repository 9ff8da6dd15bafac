/* Built-ins that are recorded with labels. */
#ifndef PROF_LABELOPS_H
#define PROF_LABELOPS_H

#include "rules.h"

/* Replaces the ops that have labels of these kinds. Call it before prof_replace_builtins(), which leaves out
 * what is replaced. */
void prof_replace_labelled(const prof_rules *rules);

#endif
