#include "build.h"

/* Makes the graph of the lines and arcs of a profile. before: that of an earlier view; NULL: this is the
 * first. */
static cg_graph *graph_of(const nytp_profile *profile, const nytp_profile *counts,
                          const nytp_records *samples, const cg_graph *before)
{
    cg_graph *g = cg_graph_new(profile, counts);
    cg_subs_find(g);
    for (uint32_t i = 0; before != NULL && i < g->root; i++)
        g->subs[i].is_counted |= before->subs[i].is_counted;
    cg_scopes_find(g);
    cg_costs_find(g);
    cg_samples_move(g, samples);
    cg_calls_find(g);
    return g;
}

cg_graph *cg_build(const GArray *views, const cg_measured measured[CG_AMOUNTS], const GArray *stacks)
{
    const nytp_profile *profile = g_array_index(views, cg_view, 0).profile;
    cg_graph *g = graph_of(profile, profile, &measured[CG_STATEMENTS].arcs, NULL);
    g->views = views;
    g->amounts = cg_first_amount(views->len);
    for (guint i = 1; i < views->len; i++) {
        const enum cg_amount first = cg_first_amount(i);
        cg_graph *beside = graph_of(profile, g_array_index(views, cg_view, i).profile,
                                    &measured[first + CG_STATEMENTS].arcs, g);
        cg_graph_join(g, beside, first);
        cg_graph_free(beside);
    }
    if (stacks != NULL)
        cg_cycles_split(g, stacks);
    cg_cycles_enter(g);
    cg_measured_share(g, measured);
    cg_flow_balance(g);
    cg_calls_count_samples(g);
    cg_objects_find(g);
    cg_function_names_make(g);
    return g;
}
