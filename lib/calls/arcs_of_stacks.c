#include "calls/arcs_of_stacks.h"

#include "base/ticks.h"
#include "model/subs.h"

#include <math.h>

typedef struct adding {
    const nytp_stacktree *stacks;
    nytp_called_fn *called;
    void *context;
    uint32_t outside;
    double scale;
    GArray *path;       /* uint32_t: numbers of the subs around the call */
    GArray *open;       /* uint32_t: by number, how many calls of the sub are on the path */
    nytp_records found; /* nytp_arc */
} adding;

static int64_t whole_ticks(const adding *a, double ticks)
{
    const double scaled = round(ticks * a->scale);
    return nytp_is_ticks(scaled) ? (int64_t)scaled : 0;
}

static uint32_t *open_calls(const adding *a, uint32_t sub)
{
    if (sub >= a->open->len)
        g_array_set_size(a->open, sub + 1);
    return &g_array_index(a->open, uint32_t, sub);
}

static uint32_t innermost(const adding *a)
{
    return a->path->len > 0 ? g_array_index(a->path, uint32_t, a->path->len - 1) : a->outside;
}

static void leave_to(const adding *a, uint32_t depth)
{
    for (; a->path->len > depth; g_array_set_size(a->path, a->path->len - 1))
        --*open_calls(a, innermost(a));
}

/* Adds the calls of a stack to those of its last two subs. */
static void add_node(void *context, uint32_t n, uint32_t depth)
{
    adding *a = context;
    const nytp_node *node = &a->stacks->nodes[n];
    const nytp_called called = a->called(a->context, node->sub);
    leave_to(a, depth);
    uint32_t *open = open_calls(a, called.sub);
    nytp_arc arc = {.caller = innermost(a),
                    .callee = called.sub,
                    .fid = called.place.fid,
                    .line = called.place.line,
                    .count = node->calls,
                    .excl_ticks = whole_ticks(a, node->excl_ticks),
                    .max_depth = *open};
    *(*open == 0 ? &arc.incl_ticks : &arc.reci_ticks) = whole_ticks(a, node->incl_ticks);
    nytp_records_add(&a->found, &arc, nytp_arc_add);
    ++*open;
    g_array_append_val(a->path, called.sub);
}

nytp_records nytp_arcs_of_stacks(const nytp_stacktree *stacks, nytp_called_fn *called, void *context,
                                 uint32_t outside, double scale)
{
    adding a = {.stacks = stacks,
                .called = called,
                .context = context,
                .outside = outside,
                .scale = scale,
                .path = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                .open = g_array_new(FALSE, TRUE, sizeof(uint32_t))};
    nytp_records_init(&a.found, sizeof(nytp_arc), offsetof(nytp_arc, count));
    nytp_stacktree_visit(stacks, add_node, &a);
    g_array_free(a.path, TRUE);
    g_array_free(a.open, TRUE);
    return a.found;
}
