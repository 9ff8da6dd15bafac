#include "totals.h"

#include <math.h>

/* Returns the run time, or the overhead, on the chosen clock. from: TREE_RUN_USER or TREE_OVER_USER. */
static double clock_sum(const tree_calls *c, int from)
{
    const double *n = &c->header[from];
    switch (c->options->clock) {
    case NYTP_CLOCK_REAL: return n[2];
    case NYTP_CLOCK_USER: return n[0];
    case NYTP_CLOCK_SYSTEM: return n[1];
    default: return n[0] + n[1];
    }
}

/* As in dprofpp, 100 % is the run time of the header without the profiler's overhead. With a root it is the
 * time of the root's calls. */
static void set_dprof_times(const tree_calls *c, tree_view *v)
{
    static const char *const clocks[] = {[NYTP_CLOCK_USER_SYSTEM] = "User+System Time",
                                         [NYTP_CLOCK_REAL] = "Real Time",
                                         [NYTP_CLOCK_USER] = "User Time",
                                         [NYTP_CLOCK_SYSTEM] = "System Time"};
    double overhead_ticks = c->overhead_ticks;
    v->clock = clocks[c->options->clock];
    v->rounds_first = true;
    if (c->options->root != NULL && c->header[TREE_OVER_TESTS] > 0)
        overhead_ticks = (double)c->times.calls * clock_sum(c, TREE_OVER_USER) / c->header[TREE_OVER_TESTS];
    if (c->has_run)
        v->elapsed_s = (c->header[TREE_RUN_REAL] - overhead_ticks) / c->ticks_per_s;
    if (c->has_run && c->options->root == NULL)
        v->total_ticks = fmax(clock_sum(c, TREE_RUN_USER) - overhead_ticks, 0);
}

void tree_totals_set(const tree_calls *c, tree_view *view)
{
    view->ticks_per_s = c->ticks_per_s > 0 ? c->ticks_per_s : 1;
    view->total_ticks = c->times.incl_ticks;
    view->elapsed_s = c->elapsed_s > 0 ? c->elapsed_s : NAN;
    view->clock = "Time in Subs";
    view->sampled_hz = c->sampled_hz;
    if (c->some_dprof && !c->some_other)
        set_dprof_times(c, view);
}
