#include "calls/span_trees.h"

#include "base/order.h"
#include "model/grow.h"
#include "model/names.h"

enum { MOST_OF_NAME = 50, MOST_TREES = 2000, MOST_NODES = 2000 /* of a tree */ };

struct nytp_span_trees {
    const nytp_calltree *calls;
    nytp_span_lines *lines;
    nytp_span_parts *parts;
    nytp_names *names;
    GPtrArray *by_name; /* GArray of nytp_span_tree */
    guint most_of_name; /* how many trees one of them may have */
    GArray *all;        /* nytp_span_tree; NULL until they are asked for */
};

static void clear_tree(gpointer tree)
{
    g_array_unref(((nytp_span_tree *)tree)->nodes);
    g_ptr_array_unref(((nytp_span_tree *)tree)->lines_of_parts);
}

static GArray *trees_new(void)
{
    GArray *trees = NYTP_ARRAY(nytp_span_tree);
    g_array_set_clear_func(trees, clear_tree);
    return trees;
}

nytp_span_trees *nytp_span_trees_new(const nytp_calltree *calls, nytp_span_lines *lines)
{
    nytp_span_trees *t = g_new0(nytp_span_trees, 1);
    t->calls = calls;
    t->lines = lines;
    t->parts = nytp_span_parts_new(calls, lines);
    t->names = nytp_names_new();
    t->by_name = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    t->most_of_name = MOST_OF_NAME;
    return t;
}

void nytp_span_trees_free(nytp_span_trees *trees)
{
    if (trees == NULL)
        return;
    nytp_names_free(trees->names);
    nytp_span_parts_free(trees->parts);
    g_ptr_array_free(trees->by_name, TRUE);
    g_clear_pointer(&trees->all, g_array_unref);
    g_free(trees);
}

static nytp_span_tree *tree_at(const GArray *trees, guint i)
{
    return &g_array_index(trees, nytp_span_tree, i);
}

static guint fastest_of(const GArray *trees)
{
    guint fastest = 0;
    for (guint i = 1; i < trees->len; i++)
        if (tree_at(trees, i)->latency_s < tree_at(trees, fastest)->latency_s)
            fastest = i;
    return fastest;
}

static void limit(GArray *trees, guint most)
{
    while (trees->len > most)
        g_array_remove_index_fast(trees, fastest_of(trees));
}

/* Returns the trees of a name. If there are many names, fewer of each are kept. */
static GArray *trees_of(nytp_span_trees *t, nytp_str name)
{
    const uint32_t number = nytp_names_intern(t->names, &name, NULL);
    if (number < t->by_name->len)
        return t->by_name->pdata[number];
    g_ptr_array_add(t->by_name, trees_new());
    t->most_of_name = MIN((guint)MOST_OF_NAME, MOST_TREES / t->by_name->len);
    for (guint i = 0; i < t->by_name->len; i++)
        limit(t->by_name->pdata[i], t->most_of_name);
    return t->by_name->pdata[number];
}

/* ---- nodes ---- */

static nytp_span_node *node_at(const GArray *nodes, guint i)
{
    return &g_array_index(nodes, nytp_span_node, i);
}

typedef struct copying {
    const nytp_stacktree *from;
    GArray *nodes;
} copying;

static void copy_node(void *context, uint32_t number, uint32_t depth)
{
    const copying *c = context;
    const nytp_node *n = &c->from->nodes[number];
    const nytp_span_node node = {n->sub, depth + 1, n->calls, n->excl_ticks};
    g_array_append_val(c->nodes, node);
}

static gint descending(gconstpointer x, gconstpointer y)
{
    return NYTP_ORDER(*(const double *)y, *(const double *)x);
}

/* Returns the inclusive times of nodes. The caller must g_free() them. */
static double *inclusive_of(const GArray *nodes)
{
    double *incl = g_new(double, nodes->len);
    g_autoptr(GArray) sums = NYTP_ZEROED_ARRAY(double); /* of the nodes below, by depth */
    for (guint i = nodes->len; i-- > 0;) {
        const uint32_t depth = node_at(nodes, i)->depth;
        if (sums->len < depth + 2)
            g_array_set_size(sums, depth + 2);
        double *below = &g_array_index(sums, double, depth + 1);
        incl[i] = node_at(nodes, i)->excl_ticks + *below;
        *below = 0;
        g_array_index(sums, double, depth) += incl[i];
    }
    return incl;
}

/* Adds the nodes with least time to their callers, so that there are not too many. */
static void fold_small(GArray *nodes)
{
    if (nodes->len <= MOST_NODES)
        return;
    g_autofree double *incl = inclusive_of(nodes);
    g_autofree double *sorted = g_memdup2(incl, nodes->len * sizeof *incl);
    qsort(sorted, nodes->len, sizeof *sorted, descending);
    const double least_ticks = sorted[MOST_NODES];
    g_autoptr(GArray) path = NYTP_ARRAY(guint); /* by depth, what is left */
    guint left = 0;
    for (guint i = 0; i < nodes->len; i++) {
        nytp_span_node node = *node_at(nodes, i);
        const bool stays = i == 0 || incl[i] > least_ticks;
        const guint caller = i > 0 ? g_array_index(path, guint, node.depth - 1) : 0,
                    at = stays ? left++ : caller;
        g_array_set_size(path, node.depth);
        g_array_append_val(path, at);
        if (!stays) {
            node_at(nodes, at)->excl_ticks += node.excl_ticks;
            continue;
        }
        node.depth = i > 0 ? node_at(nodes, caller)->depth + 1 : 0;
        *node_at(nodes, at) = node;
    }
    g_array_set_size(nodes, left);
}

/* The calls that the span made wait for its return. */
static GArray *nodes_of(const nytp_calltree *calls, const nytp_call_event *call)
{
    GArray *nodes = NYTP_ARRAY(nytp_span_node);
    const nytp_span_node own = {call->sub, 0, 1, nytp_calltree_scaled(calls, call->excl_ticks)};
    g_array_append_val(nodes, own);
    for (uint32_t i = calls->top; i > 0 && calls->levels[i].depth > call->depth; i--)
        if (calls->levels[i].depth == call->depth + 1)
            nytp_stacktree_visit_list(&calls->stacks, calls->levels[i].children, copy_node,
                                      &(copying){&calls->stacks, nodes});
    fold_small(nodes);
    return nodes;
}

static GArray *nodes_of_request(const nytp_request_calls *calls, uint32_t sub)
{
    GArray *nodes = NYTP_ARRAY(nytp_span_node);
    const nytp_span_node own = {sub, 0, 1, calls->stacks.nodes[0].excl_ticks};
    g_array_append_val(nodes, own);
    nytp_stacktree_visit_list(&calls->stacks, calls->stacks.nodes[0].children, copy_node,
                              &(copying){&calls->stacks, nodes});
    fold_small(nodes);
    return nodes;
}

/* calls: NULL if the span is one call. */
static nytp_span_tree tree_of(const nytp_span_trees *t, const nytp_span_time *span, uint64_t number,
                              const nytp_request_calls *calls)
{
    nytp_span_tree tree = {.number = number, .latency_s = span->latency_s};
    if (calls != NULL) {
        tree.nodes = nodes_of_request(calls, span->sub);
        tree.lines_of_parts = g_ptr_array_ref(calls->lines);
        return tree;
    }
    tree.nodes = nodes_of(t->calls, span->call);
    tree.lines_of_parts = g_ptr_array_new_with_free_func(nytp_lines_of_span_unref);
    g_ptr_array_add(tree.lines_of_parts, nytp_span_lines_add(t->lines, span->call));
    return tree;
}

void nytp_span_trees_add_part(nytp_span_trees *trees, const nytp_call_event *part)
{
    nytp_span_parts_add(trees->parts, part);
}

void nytp_span_trees_begin_process(nytp_span_trees *trees)
{
    nytp_span_parts_begin_process(trees->parts);
}

void nytp_span_trees_add(nytp_span_trees *trees, const nytp_span_time *span, uint64_t number)
{
    GArray *of_name = trees_of(trees, span->name);
    const bool is_full = of_name->len >= trees->most_of_name;
    nytp_request_calls *calls = span->call == NULL ? nytp_span_parts_take(trees->parts, span->request) : NULL;
    const bool is_known = span->call != NULL || calls != NULL;
    if (is_known && (!is_full || (of_name->len > 0 &&
                                  tree_at(of_name, fastest_of(of_name))->latency_s < span->latency_s))) {
        const nytp_span_tree tree = tree_of(trees, span, number, calls);
        g_array_append_val(of_name, tree);
        limit(of_name, trees->most_of_name);
    }
    nytp_request_calls_free(calls);
}

static gint slowest_first(gconstpointer x, gconstpointer y)
{
    const nytp_span_tree *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(b->latency_s, a->latency_s), NYTP_ORDER(a->number, b->number));
}

const GArray *nytp_span_trees_get(nytp_span_trees *trees)
{
    if (trees->all != NULL)
        return trees->all;
    trees->all = trees_new();
    for (guint name = 0; name < trees->by_name->len; name++) {
        const GArray *of_name = trees->by_name->pdata[name];
        NYTP_EACH(const nytp_span_tree, one, of_name) {
            nytp_span_tree tree = *one;
            nytp_span_parts_join(tree.lines_of_parts);
            tree.lines = tree.lines_of_parts->pdata[0];
            g_array_ref(tree.nodes);
            g_ptr_array_ref(tree.lines_of_parts);
            g_array_append_val(trees->all, tree);
        }
    }
    g_array_sort(trees->all, slowest_first);
    return trees->all;
}
