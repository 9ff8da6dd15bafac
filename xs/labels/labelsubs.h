/* Subs that are recorded with labels, by rules. */
#ifndef PROF_LABELSUBS_H
#define PROF_LABELSUBS_H

#include "rules.h"

/* Puts a handler before that of prof_replace_entersub(), if there are rules. */
void prof_replace_ruled(const prof_rules *rules);

#endif
