/* For unit tests of nytprofcg's graph. */
#pragma once

#include "nytprofcg/build.h"
#include "calls/calltree.h"
#include "model/grow.h"
#include "model/profile.h"
#include "model/subs.h"
#include "test/unit/profile_support.h"

static const cg_measured none_measured[CG_AMOUNTS];

static inline void clear_stacks(void *stacks)
{
    g_free(((cg_stacks *)stacks)->subs);
}

/* The graph of a profile, and of so many views beside it that are the same profile; for free_graph(). */
static inline cg_graph *graph_of(nytp_profile *p, guint beside, const cg_measured measured[CG_AMOUNTS],
                                 const GArray *stacks)
{
    GArray *views = NYTP_ARRAY(cg_view);
    const cg_view view = {.profile = p};
    for (guint i = 0; i <= beside; i++)
        g_array_append_val(views, view);
    return cg_build(views, measured, stacks);
}

static inline void free_graph(cg_graph *g)
{
    g_array_unref((GArray *)(uintptr_t)g->views);
    cg_graph_free(g);
}

/* The stacks of calls by the subs of a profile: an array of cg_stacks, for g_array_unref(). */
static inline GArray *stacks_of(const nytp_profile *p, nytp_calltree *calls, uint32_t view)
{
    GArray *all = NYTP_ARRAY(cg_stacks);
    const nytp_names *names = nytp_calltree_names(calls);
    const uint32_t count = nytp_names_count(names);
    const cg_stacks stacks = {nytp_calltree_stacks(calls), g_new0(uint32_t, (size_t)count + 1), count, 1,
                              view};
    for (uint32_t i = 0; i < count; i++) {
        const nytp_str name = nytp_names_get(names, i);
        const int64_t sub = nytp_names_find(p->subs.names, &name);
        stacks.subs[i] = sub >= 0 ? (uint32_t)sub : CG_NO_SUB;
    }
    g_array_append_val(all, stacks);
    g_array_set_clear_func(all, clear_stacks);
    return all;
}
