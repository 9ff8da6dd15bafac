/* What 100 % means. */
#pragma once

#include <math.h>
#include <stdbool.h>

/* Returns the time that 100 % stands for in all programs: that of all statements or, if that is more, the
 * exclusive time of all calls. The two are measured separately, so either can be a little more than the
 * other. A tmon.out has no statements, nor has a profile recorded with stmts=0. */
static inline double nytp_whole(double statement_ticks, double excl_ticks)
{
    return fmax(fmax(statement_ticks, excl_ticks), 0);
}

/* What has less is left out: a share of all, or a duration. Neither: nothing is. */
typedef struct nytp_least {
    double percent, ns;
} nytp_least;

static inline bool nytp_least_is_given(nytp_least least)
{
    return least.percent > 0 || least.ns > 0;
}

/* Returns it in ticks, given what 100 % are. */
static inline double nytp_least_ticks(nytp_least least, double whole_ticks, double ticks_per_s)
{
    return nytp_least_is_given(least) ? whole_ticks * least.percent / 100 + least.ns * ticks_per_s / 1e9
                                      : -HUGE_VAL;
}

/* Returns the time of the code outside of all subs: what calls leave of that of the statements, so that parts
 * of a run add up to it. Hence it can be less than 0. */
static inline double nytp_outside(double statement_ticks, double excl_ticks)
{
    return statement_ticks > 0 ? statement_ticks - excl_ticks : 0;
}
