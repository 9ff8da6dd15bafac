#include "calls/stacktree.h"

#include "model/grow.h"

typedef struct rooting {
    const nytp_stacktree *tree;
    uint32_t sub;
    uint32_t outer_depth; /* of the current outermost call of sub; UINT32_MAX: none */
    GArray *outermost;    /* uint32_t: nodes */
} rooting;

static void find_outermost(void *context, uint32_t node, uint32_t depth)
{
    rooting *r = context;
    if (depth <= r->outer_depth)
        r->outer_depth = UINT32_MAX;
    if (r->outer_depth != UINT32_MAX || r->tree->nodes[node].sub != r->sub)
        return;
    r->outer_depth = depth;
    g_array_append_val(r->outermost, node);
}

bool nytp_stacktree_root_at(nytp_stacktree *tree, uint32_t sub)
{
    rooting r = {tree, sub, UINT32_MAX, NYTP_ARRAY(uint32_t)};
    nytp_stacktree_visit(tree, find_outermost, &r);
    nytp_children roots = {0, 0};
    double incl_ticks = 0;
    NYTP_EACH(const uint32_t, number, r.outermost) {
        uint32_t n = *number;
        nytp_children alone = {n, 0};
        tree->nodes[n].next = n;
        incl_ticks += tree->nodes[n].incl_ticks;
        nytp_stacktree_absorb(tree, &roots, &alone);
    }
    tree->nodes[0].children = roots;
    tree->nodes[0].incl_ticks = incl_ticks;
    g_array_free(r.outermost, TRUE);
    return roots.last != 0;
}

nytp_path nytp_path_new(size_t numbers)
{
    return (nytp_path){NYTP_ARRAY(uint32_t), g_new0(bool, numbers + 1)};
}

void nytp_path_clear(nytp_path *path)
{
    g_array_free(path->of, TRUE);
    g_free(path->is_on);
}

bool nytp_path_enter(nytp_path *path, uint32_t depth, uint32_t of)
{
    for (; path->of->len > depth; g_array_set_size(path->of, path->of->len - 1)) {
        const uint32_t left = g_array_index(path->of, uint32_t, path->of->len - 1);
        if (left != UINT32_MAX)
            path->is_on[left] = false;
    }
    const bool is_outermost = of != UINT32_MAX && !path->is_on[of];
    if (is_outermost)
        path->is_on[of] = true;
    else
        of = UINT32_MAX;
    g_array_append_val(path->of, of);
    return is_outermost;
}

typedef struct turning {
    const nytp_stacktree *from;
    nytp_stacktree *to;
    uint32_t sub, max_depth;
    bool counts_samples;
    GArray *path;  /* uint32_t: subs, outermost first */
    GArray *inner; /* guint: the lengths that path had when it ended with sub */
} turning;

/* Adds to the chain of callers that begins with sub number `length` of path and leads outwards. */
static void add_chain(turning *t, guint length, uint64_t calls, double excl_ticks, double incl_ticks,
                      nytp_waited waited)
{
    uint32_t n = 0;
    for (guint i = 0; i < length && i < t->max_depth; i++) {
        nytp_stacktree_reserve(t->to, 1);
        n = nytp_stacktree_child(t->to, &t->to->nodes[n].children,
                                 g_array_index(t->path, uint32_t, length - 1 - i), 0);
        nytp_node *node = &t->to->nodes[n];
        node->calls += calls;
        node->excl_ticks += excl_ticks;
        node->incl_ticks += incl_ticks;
        nytp_waited_add(&node->waited, waited);
    }
}

static void add_callers(void *context, uint32_t n, uint32_t depth)
{
    turning *t = context;
    const nytp_node *node = &t->from->nodes[n];
    g_array_set_size(t->path, depth);
    g_array_append_val(t->path, node->sub);
    while (t->inner->len > 0 && g_array_index(t->inner, guint, t->inner->len - 1) > depth)
        g_array_set_size(t->inner, t->inner->len - 1);
    if (node->sub != t->sub)
        return;
    add_chain(t, t->path->len, node->calls, node->excl_ticks, node->incl_ticks, node->waited);
    if (t->inner->len > 0)
        add_chain(t, g_array_index(t->inner, guint, t->inner->len - 1),
                  t->counts_samples ? 0 - node->calls : 0, 0, -node->incl_ticks, (nytp_waited){0});
    g_array_append_val(t->inner, t->path->len);
}

void nytp_stacktree_turn(nytp_stacktree *tree, uint32_t sub, uint32_t max_depth, bool counts_samples)
{
    nytp_stacktree callers;
    turning t = {tree, &callers, sub, max_depth, counts_samples, NYTP_ARRAY(uint32_t), NYTP_ARRAY(guint)};
    nytp_stacktree_init(&callers);
    nytp_stacktree_visit(tree, add_callers, &t);
    nytp_stacktree_clear(tree);
    *tree = callers;
    g_array_free(t.path, TRUE);
    g_array_free(t.inner, TRUE);
}

static void note_node(void *order, uint32_t node, uint32_t depth)
{
    (void)depth;
    g_array_append_val((GArray *)order, node);
}

void nytp_stacktree_sum_calls(nytp_stacktree *tree)
{
    g_autoptr(GArray) order = NYTP_ARRAY(uint32_t); /* callers before their callees */
    note_node(order, 0, 0);
    nytp_stacktree_visit(tree, note_node, order);
    for (guint i = order->len; i-- > 0;) {
        const uint32_t n = g_array_index(order, uint32_t, i);
        for (uint32_t c = nytp_stacktree_first(tree, n); c != 0; c = nytp_stacktree_next(tree, n, c))
            tree->nodes[n].calls += tree->nodes[c].calls;
    }
}
