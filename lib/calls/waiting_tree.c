#include "calls/derive_arcs.h"

#include "model/grow.h"

/* A call around the current one. */
typedef struct caller {
    uint32_t sub;
    uint32_t node; /* of the new tree; 0: it has none yet */
} caller;

typedef struct copying {
    const nytp_stacktree *from;
    nytp_calltree *to;
    nytp_amount_fn *amount;
    GArray *path; /* caller */
} copying;

static caller *caller_at(const copying *c, guint depth)
{
    return &g_array_index(c->path, caller, depth);
}

/* Returns the node of the whole path, after making those that its calls do not have yet. */
static uint32_t node_of_path(const copying *c)
{
    nytp_stacktree *stacks = &c->to->stacks;
    guint depth = c->path->len;
    while (depth > 0 && caller_at(c, depth - 1)->node == 0)
        depth--;
    uint32_t node = depth > 0 ? caller_at(c, depth - 1)->node : 0;
    nytp_stacktree_reserve(stacks, c->path->len - depth);
    for (; depth < c->path->len; depth++) {
        caller *made = caller_at(c, depth);
        made->node = node = nytp_stacktree_child(stacks, &stacks->nodes[node].children, made->sub, 0);
    }
    return node;
}

static void copy_amount(void *context, uint32_t n, uint32_t depth)
{
    const copying *c = context;
    const nytp_node *node = &c->from->nodes[n];
    const caller entered = {node->sub, 0};
    g_array_set_size(c->path, depth);
    g_array_append_val(c->path, entered);
    const double ticks = c->amount(node);
    if (ticks == 0)
        return;
    const uint32_t made = node_of_path(c); /* which may move the nodes */
    nytp_node *copy = &c->to->stacks.nodes[made];
    copy->calls = node->calls;
    copy->excl_ticks = ticks;
    c->to->excl_ticks += ticks;
}

nytp_calltree *nytp_amount_tree_new(nytp_calltree *tree, nytp_amount_fn *amount)
{
    copying c = {.from = nytp_calltree_stacks(tree),
                 .to = nytp_calltree_new_of(nytp_calltree_names(tree), NULL, NULL),
                 .amount = amount,
                 .path = NYTP_ARRAY(caller)};
    nytp_calltree_set_ticks_per_sec(c.to, nytp_calltree_ticks_per_sec(tree));
    nytp_stacktree_visit(c.from, copy_amount, &c);
    g_array_free(c.path, TRUE);
    return c.to;
}

static double asleep_ticks(const nytp_node *node)
{
    return node->waited.asleep_ticks;
}

static double queued_ticks(const nytp_node *node)
{
    return node->waited.queued_ticks;
}

nytp_amount_fn *nytp_amount_of_wait(enum nytp_wait wait)
{
    return wait == NYTP_ASLEEP ? asleep_ticks : queued_ticks;
}

double nytp_amount_of_calls(const nytp_node *node)
{
    return (double)node->calls;
}
