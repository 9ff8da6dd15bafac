#include "build.h"

cg_graph *cg_build(const nytp_profile *profile, const nytp_records *waiting, int64_t outside_ticks,
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
    cg_waiting_share(g, waiting, outside_ticks);
    cg_flow_balance(g);
    cg_calls_count_samples(g);
    cg_function_names_make(g);
    return g;
}
