#include "calls/derive_arcs.h"

#include "base/ticks.h"
#include "model/grow.h"
#include "model/subs.h"

#include <math.h>

typedef struct open_call {
    nytp_arc arc; /* with its key alone */
    bool is_eval; /* a string eval of that call */
} open_call;

typedef struct adding {
    const nytp_stacktree *stacks;
    nytp_called_fn *called;
    void *context;
    uint32_t outside;
    double scale;
    GArray *path;       /* open_call: those around the call */
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

static open_call innermost(const adding *a)
{
    const open_call none = {.arc = {.callee = a->outside}};
    return a->path->len > 0 ? g_array_index(a->path, open_call, a->path->len - 1) : none;
}

static void return_to_depth(const adding *a, uint32_t depth)
{
    for (; a->path->len > depth; g_array_set_size(a->path, a->path->len - 1)) {
        const open_call left = innermost(a);
        *open_calls(a, left.arc.callee) -= !left.is_eval;
    }
}

/* The own time of a string eval is that of the call that runs it; outside of subs it is in no arc. */
static void add_eval(adding *a, const nytp_node *node)
{
    open_call around = innermost(a);
    nytp_arc own = around.arc;
    own.excl_ticks = whole_ticks(a, node->excl_ticks);
    if (own.callee != a->outside)
        nytp_records_add(&a->found, &own, nytp_arc_add);
    around.is_eval = true;
    g_array_append_val(a->path, around);
}

/* Adds the calls of a stack to those of its last two subs. */
static void add_node(void *context, uint32_t n, uint32_t depth)
{
    adding *a = context;
    const nytp_node *node = &a->stacks->nodes[n];
    const nytp_called called = a->called(a->context, node->sub);
    return_to_depth(a, depth);
    if (called.is_eval) {
        add_eval(a, node);
        return;
    }
    uint32_t *open = open_calls(a, called.sub);
    const open_call entered = {.arc = {.caller = innermost(a).arc.callee,
                                       .callee = called.sub,
                                       .fid = called.place.fid,
                                       .line = called.place.line}};
    nytp_arc arc = entered.arc;
    arc.count = node->calls;
    arc.excl_ticks = whole_ticks(a, node->excl_ticks);
    arc.max_depth = *open;
    arc.lacks_kept = true;
    *(*open == 0 ? &arc.incl_ticks : &arc.reci_ticks) = whole_ticks(a, node->incl_ticks);
    nytp_records_add(&a->found, &arc, nytp_arc_add);
    ++*open;
    g_array_append_val(a->path, entered);
}

nytp_records nytp_arcs_of_stacks(const nytp_stacktree *stacks, nytp_called_fn *called, void *context,
                                 uint32_t outside, double scale)
{
    adding a = {.stacks = stacks,
                .called = called,
                .context = context,
                .outside = outside,
                .scale = scale,
                .path = NYTP_ARRAY(open_call),
                .open = NYTP_ZEROED_ARRAY(uint32_t)};
    nytp_records_init(&a.found, sizeof(nytp_arc), offsetof(nytp_arc, count));
    nytp_stacktree_visit(stacks, add_node, &a);
    g_array_free(a.path, TRUE);
    g_array_free(a.open, TRUE);
    return a.found;
}
