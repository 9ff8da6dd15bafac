/* Visiting the nodes of a call tree in order, and reversing its stacks. */
#include "calls/calltree.h"

#include "base/order.h"
#include "model/eval_name.h"
#include "model/names.h"
#include "calls/stacktree.h"
#include "model/grow.h"

/* A node that waits to be visited, and its depth. */
typedef struct pending {
    uint32_t node, depth;
} pending;

typedef struct walk {
    const nytp_calltree *tree;
    const uint32_t *ranks;
    const bool *skipped; /* by name; NULL if none is */
    GArray *stack;       /* of pending, the next one last */
} walk;

/* Byte order of names, reversed: the last one on the stack is visited first. */
static gint compare_pending(gconstpointer a, gconstpointer b, gpointer context)
{
    const walk *w = context;
    uint32_t x = w->ranks[w->tree->stacks.nodes[((const pending *)a)->node].sub];
    uint32_t y = w->ranks[w->tree->stacks.nodes[((const pending *)b)->node].sub];
    return NYTP_ORDER(y, x);
}

static void push_children(walk *w, uint32_t node, uint32_t depth)
{
    const nytp_stacktree *stacks = &w->tree->stacks;
    guint from = w->stack->len;
    for (uint32_t n = nytp_stacktree_first(stacks, node); n != 0; n = nytp_stacktree_next(stacks, node, n))
        g_array_append_val(w->stack, ((pending){n, depth}));
    if (w->stack->len == from)
        return;
    g_qsort_with_data(&g_array_index(w->stack, pending, from), (gint)(w->stack->len - from), sizeof(pending),
                      compare_pending, w);
}

static nytp_visited call_of(const nytp_calltree *t, pending p)
{
    const nytp_node *node = &t->stacks.nodes[p.node];
    return (nytp_visited){{node->sub, p.depth, nytp_names_get(t->shown, node->sub), node->calls,
                           node->excl_ticks, node->incl_ticks, node->children.last != 0},
                          node->waited};
}

static void walk_settled(const nytp_calltree *tree, const bool *skipped, nytp_call_fn *visit, void *context)
{
    g_autofree uint32_t *ranks = nytp_names_ranks(tree->shown);
    walk w = {tree, ranks, skipped, NYTP_ARRAY(pending)};
    push_children(&w, 0, 0);
    while (w.stack->len > 0) {
        pending p = g_array_index(w.stack, pending, w.stack->len - 1);
        g_array_set_size(w.stack, w.stack->len - 1);
        const nytp_visited visited = call_of(tree, p);
        if (skipped != NULL && skipped[visited.call.sub])
            push_children(&w, p.node, p.depth);
        else if (visit(context, &visited.call))
            push_children(&w, p.node, p.depth + 1);
    }
    g_array_free(w.stack, TRUE);
}

void nytp_calltree_walk(nytp_calltree *tree, nytp_call_fn *visit, void *context)
{
    nytp_calltree_stacks(tree);
    walk_settled(tree, NULL, visit, context);
}

void nytp_calltree_walk_subs(nytp_calltree *tree, nytp_call_fn *visit, void *context)
{
    const uint32_t count = nytp_names_count(tree->shown);
    g_autofree bool *skipped = g_new(bool, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++)
        skipped[i] = nytp_is_eval_frame(nytp_names_get(tree->shown, i));
    nytp_calltree_stacks(tree);
    walk_settled(tree, skipped, visit, context);
}

typedef struct reversal {
    nytp_calltree *to;
    GArray *path; /* uint32_t: subs, outermost first */
    uint32_t max_depth;
} reversal;

static bool add_reversed(void *context, const nytp_call *call)
{
    reversal *r = context;
    nytp_stacktree *stacks = &r->to->stacks;
    g_array_set_size(r->path, call->depth);
    g_array_append_val(r->path, call->sub);
    if (call->calls == 0 &&
        call->excl_ticks == 0) /* no stack ends here, as in a tree that was reversed before */
        return true;
    uint32_t n = 0, from = r->path->len, to = from > r->max_depth ? from - r->max_depth : 0;
    while (from-- > to) {
        uint32_t sub = g_array_index(r->path, uint32_t, from);
        nytp_stacktree_reserve(stacks, 1);
        n = nytp_stacktree_child(stacks, &stacks->nodes[n].children, sub, 0);
    }
    stacks->nodes[n].calls += call->calls;
    stacks->nodes[n].excl_ticks += call->excl_ticks;
    return true;
}

/* Gives `to`, which is empty, the same names with the same numbers. */
static void copy_names(nytp_names *to, const nytp_names *from)
{
    for (uint32_t i = 0; i < nytp_names_count(from); i++) {
        nytp_str name = nytp_names_get(from, i);
        nytp_names_intern(to, &name, NULL);
    }
}

nytp_calltree *nytp_calltree_reverse(nytp_calltree *tree, uint32_t max_depth)
{
    reversal r = {nytp_calltree_new(NULL, NULL), NYTP_ARRAY(uint32_t), max_depth};
    copy_names(r.to->shown, tree->shown);
    nytp_calltree_walk(tree, add_reversed, &r);
    g_array_free(r.path, TRUE);
    nytp_calltree_totals(tree, &r.to->calls, &r.to->excl_ticks);
    r.to->counted = tree->counted;
    r.to->ticks_per_sec = tree->ticks_per_sec;
    return r.to;
}
