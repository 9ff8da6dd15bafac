#include "findings/causes.h"

#include "base/order.h"
#include "compare/comparison.h"
#include "model/grow.h"

#include <math.h>

enum { FEWEST = 5 };
static const double SPREAD = 1.2, MOST_OF = 2. / 3, LEAST_SLOWDOWN = 1.1;

nytp_queued nytp_queued_of(nytp_comparison *comparison)
{
    const double much = 0.1;
    nytp_queued queued = {0};
    nytp_change whole, measured;
    nytp_comparison_whole(comparison, NYTP_FIGURE_EXCL, &whole);
    nytp_comparison_whole(comparison, (enum nytp_figure)NYTP_FIGURE_QUEUED, &measured);
    const bool is_measured = nytp_comparison_measures_waits(comparison);
    NYTP_EACH_SIDE(side) {
        queued.s[side] = is_measured
                             ? measured.median[side]
                             : fmin(nytp_runs_busy_share(comparison->runs[side]), 1) * whole.median[side];
        queued.much += queued.s[side] > much * whole.median[side];
    }
    return queued;
}

bool nytp_both_queued_much(nytp_comparison *comparison)
{
    bool is_much = nytp_queued_of(comparison).much == NYTP_SIDES;
    if (is_much || comparison->others[NYTP_OLD]->len == 0)
        return is_much;
    nytp_comparison_switch(comparison);
    is_much = nytp_queued_of(comparison).much == NYTP_SIDES;
    nytp_comparison_switch(comparison);
    return is_much;
}

typedef struct change {
    double factor, time; /* of one call, and of all calls of OLD */
} change;

/* Returns how many times longer a call takes itself; 0 if the sub is not in both. */
static double factor_of(const nytp_call_node *node)
{
    NYTP_EACH_SIDE(side)
        if (!(node->calls[side] > 0 && node->excl[side] > 0))
            return 0;
    return node->excl[NYTP_NEW] / node->calls[NYTP_NEW] * node->calls[NYTP_OLD] / node->excl[NYTP_OLD];
}

static bool is_near(double factor, double of)
{
    return factor > 0 && fabs(log(factor / of)) <= log(SPREAD);
}

static gint by_factor(gconstpointer x, gconstpointer y)
{
    const change *a = x, *b = y;
    return NYTP_ORDER(a->factor, b->factor);
}

static GArray *changes_new(const nytp_call_graph *graph, double least)
{
    GArray *changes = NYTP_ARRAY(change);
    NYTP_EACH(const nytp_call_node, node, graph->nodes) {
        const change one = {factor_of(node), node->excl[NYTP_OLD]};
        if (one.factor > 0 && fmax(node->excl[NYTP_OLD], node->excl[NYTP_NEW]) >= least)
            g_array_append_val(changes, one);
    }
    g_array_sort(changes, by_factor);
    return changes;
}

double nytp_slowdown(const nytp_call_graph *graph, double least)
{
    g_autoptr(GArray) changes = changes_new(graph, least);
    double all = 0, below = 0, near = 0;
    guint middle = 0, count = 0;
    NYTP_EACH(const change, c, changes)
        all += c->time;
    while (middle < changes->len && (below += g_array_index(changes, change, middle).time) < all / 2)
        middle++;
    if (changes->len < FEWEST)
        return 1;
    const double median = g_array_index(changes, change, middle).factor;
    NYTP_EACH(const change, one, changes) {
        count += is_near(one->factor, median);
        near += is_near(one->factor, median) ? one->time : 0;
    }
    const bool is_common = count >= MOST_OF * changes->len && near >= MOST_OF * all;
    return is_common && fabs(log(median)) >= log(LEAST_SLOWDOWN) ? median : 1;
}

bool nytp_slowdown_explains(double factor, const nytp_call_node *node)
{
    return factor != 1 && is_near(factor_of(node), factor);
}
