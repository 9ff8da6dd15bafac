/* The numbers that an arc has in a report. */
#pragma once

/* X(column, what the column of several arcs together has, value of the arc a). core.c writes the columns, and
 * page/join gives their names to the script, which adds them up. */
#define HTML_ARC_COLUMNS(X)                                                                                  \
    X(calls, sum, (int64_t)a->of.count)                                                                      \
    X(inner, sum, inner_ticks(a)) /* ticks in what the callee called */                                      \
    X(excl, sum, a->of.excl_ticks)                                                                           \
    X(reci, sum, a->of.reci_ticks) /* inclusive ticks of recursive calls */                                  \
    X(depth, most, (int64_t)a->of.max_depth)                                                                 \
    X(kept, sum, knows_kept ? a->of.own_kept_values : 0) /* what perl's values became more */
