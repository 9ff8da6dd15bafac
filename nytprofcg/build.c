#include "build.h"

cg_graph *cg_build(const nytp_profile *profile, const cg_measured measured[CG_AMOUNTS],
                   const cg_stacks *stacks)
{
    cg_graph *g = cg_graph_new(profile);
    cg_subs_find(g);
    cg_scopes_find(g);
    cg_costs_find(g);
    cg_calls_find(g);
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
