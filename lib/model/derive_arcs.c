#include "model/derive_arcs.h"

#include "base/ticks.h"
#include "model/profile.h"

#include <math.h>

typedef struct deriving {
    nytp_subs *subs;
    double scale;     /* ticks of the profile in one of the tree */
    uint32_t outside; /* number of main::RUNTIME */
    GArray *path;     /* uint32_t: numbers of the subs around the call */
    GArray *open;     /* uint32_t: by number, how many calls of the sub are on the path */
} deriving;

static int64_t whole_ticks(const deriving *d, double ticks)
{
    double scaled = round(ticks * d->scale);
    return nytp_is_ticks(scaled) ? (int64_t)scaled : 0;
}

static void leave(deriving *d, uint32_t depth)
{
    for (; d->path->len > depth; g_array_set_size(d->path, d->path->len - 1))
        g_array_index(d->open, uint32_t, g_array_index(d->path, uint32_t, d->path->len - 1))--;
}

static bool add_call(void *context, const nytp_call *call)
{
    deriving *d = context;
    leave(d, call->depth);
    uint32_t callee = nytp_subs_number(d->subs, call->name);
    if (callee >= d->open->len)
        g_array_set_size(d->open, callee + 1);
    uint32_t *open = &g_array_index(d->open, uint32_t, callee);
    nytp_arc arc = {.callee = callee,
                    .caller = d->outside,
                    .count = call->calls,
                    .excl_ticks = whole_ticks(d, call->excl_ticks),
                    .max_depth = *open};
    if (d->path->len > 0)
        arc.caller = g_array_index(d->path, uint32_t, d->path->len - 1);
    *(*open == 0 ? &arc.incl_ticks : &arc.reci_ticks) = whole_ticks(d, call->incl_ticks);
    nytp_subs_add_arc(d->subs, &arc);
    ++*open;
    g_array_append_val(d->path, callee);
    return true;
}

void nytp_profile_derive_arcs(nytp_profile *profile, nytp_calltree *tree)
{
    static const nytp_str outside = {"main::RUNTIME", sizeof "main::RUNTIME" - 1, false};
    size_t stacks, subs;
    nytp_calltree_size(tree, &stacks, &subs);
    if (nytp_profile_arc_count(profile) > 0 || stacks == 0)
        return;
    deriving d = {.subs = &profile->subs,
                  .scale = profile->ticks_per_sec / nytp_calltree_ticks_per_sec(tree),
                  .path = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                  .open = g_array_new(FALSE, TRUE, sizeof(uint32_t))};
    d.outside = nytp_subs_number(d.subs, outside);
    nytp_calltree_walk(tree, add_call, &d);
    g_array_free(d.path, TRUE);
    g_array_free(d.open, TRUE);
}
