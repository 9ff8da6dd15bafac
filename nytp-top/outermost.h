/* Inclusive times of outermost calls: a call of a sub within another one of it must not count twice. Returns
 * come innermost first, so what was added for the inner calls is taken out when the outer one returns. */
#pragma once

#include "nytprof.h"

typedef struct top_outermost top_outermost;

top_outermost *top_outermost_new(void);
void top_outermost_free(top_outermost *o);

/* Forgets the calls that have returned: a process begins. */
void top_outermost_reset(top_outermost *o);

/* Takes a return, with its depth and inclusive time as SUB_RETURN has them. Returns by how much the inclusive
 * time of the sub grows. */
double top_outermost_add(top_outermost *o, nytp_str sub, uint32_t depth, double incl_s);
