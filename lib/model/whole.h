/* What 100 % means. */
#pragma once

#include <math.h>

/* Returns the time that 100 % stands for in all programs: that of all statements or, if that is more, the
 * exclusive time of all calls. The two are measured separately, so either can be a little more than the
 * other. A tmon.out has no statements, nor has a profile recorded with stmts=0. */
static inline double nytp_whole(double statement_ticks, double excl_ticks)
{
    return fmax(fmax(statement_ticks, excl_ticks), 0);
}

/* Returns the time of the code outside of all subs: what calls leave of that of the statements, so that parts
 * of a run add up to it. Hence it can be less than 0. */
static inline double nytp_outside(double statement_ticks, double excl_ticks)
{
    return statement_ticks > 0 ? statement_ticks - excl_ticks : 0;
}
