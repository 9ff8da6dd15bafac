#include "calls/derive_arcs.h"

#include "base/ticks.h"
#include "model/profile.h"

#include <math.h>

struct nytp_arc_walk {
    uint32_t outside;
    GArray *path; /* uint32_t: numbers of the subs around the call */
    GArray *open; /* uint32_t: by number, how many calls of the sub are on the path */
};

nytp_arc_walk *nytp_arc_walk_new(uint32_t outside)
{
    nytp_arc_walk *walk = g_new0(nytp_arc_walk, 1);
    walk->outside = outside;
    walk->path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    walk->open = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    return walk;
}

void nytp_arc_walk_free(nytp_arc_walk *walk)
{
    g_array_free(walk->path, TRUE);
    g_array_free(walk->open, TRUE);
    g_free(walk);
}

static uint32_t last_of(const GArray *path)
{
    return g_array_index(path, uint32_t, path->len - 1);
}

static void leave(nytp_arc_walk *walk, uint32_t depth)
{
    for (; walk->path->len > depth; g_array_set_size(walk->path, walk->path->len - 1))
        g_array_index(walk->open, uint32_t, last_of(walk->path))--;
}

nytp_arc nytp_arc_walk_next(nytp_arc_walk *walk, uint32_t depth, uint32_t callee, uint64_t calls,
                            int64_t incl_ticks, int64_t excl_ticks)
{
    leave(walk, depth);
    if (callee >= walk->open->len)
        g_array_set_size(walk->open, callee + 1);
    uint32_t *open = &g_array_index(walk->open, uint32_t, callee);
    nytp_arc arc = {.callee = callee,
                    .caller = walk->path->len > 0 ? last_of(walk->path) : walk->outside,
                    .count = calls,
                    .excl_ticks = excl_ticks,
                    .max_depth = *open};
    *(*open == 0 ? &arc.incl_ticks : &arc.reci_ticks) = incl_ticks;
    ++*open;
    g_array_append_val(walk->path, callee);
    return arc;
}

typedef struct deriving {
    nytp_subs *subs;
    double scale; /* ticks of the profile in one of the tree */
    nytp_arc_walk *walk;
} deriving;

static int64_t whole_ticks(const deriving *d, double ticks)
{
    double scaled = round(ticks * d->scale);
    return nytp_is_ticks(scaled) ? (int64_t)scaled : 0;
}

static bool add_call(void *context, const nytp_call *call)
{
    const deriving *d = context;
    const nytp_arc arc =
        nytp_arc_walk_next(d->walk, call->depth, nytp_subs_number(d->subs, call->name), MAX(call->calls, 1),
                           whole_ticks(d, call->incl_ticks), whole_ticks(d, call->excl_ticks));
    nytp_subs_add_arc(d->subs, &arc);
    return true;
}

void nytp_profile_derive_arcs(nytp_profile *profile, nytp_calltree *tree)
{
    static const nytp_str outside = {"main::RUNTIME", sizeof "main::RUNTIME" - 1, false};
    size_t stacks, subs;
    nytp_calltree_size(tree, &stacks, &subs);
    if (nytp_profile_arc_count(profile) > 0 || stacks == 0)
        return;
    deriving d = {&profile->subs, profile->ticks_per_sec / nytp_calltree_ticks_per_sec(tree),
                  nytp_arc_walk_new(nytp_subs_number(&profile->subs, outside))};
    nytp_calltree_walk(tree, add_call, &d);
    nytp_arc_walk_free(d.walk);
}
