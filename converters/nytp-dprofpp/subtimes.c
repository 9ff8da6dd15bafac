#include "calls.h"

#include "model/grow.h"

void dprofpp_subtimes_init(dprofpp_subtimes *t)
{
    *t = (dprofpp_subtimes){.rows = NYTP_ZEROED_ARRAY(dprofpp_subtime), .root = UINT32_MAX};
}

void dprofpp_subtimes_clear(dprofpp_subtimes *t)
{
    g_array_free(t->rows, TRUE);
}

static inline dprofpp_subtime *row_of(dprofpp_subtimes *t, uint32_t sub)
{
    if (sub >= t->rows->len) {
        guint from = t->rows->len;
        g_array_set_size(t->rows, sub + 1);
        for (guint i = from; i <= sub; i++)
            g_array_index(t->rows, dprofpp_subtime, i).sub = i;
    }
    return &g_array_index(t->rows, dprofpp_subtime, sub);
}

static inline dprofpp_subtime *found_row(dprofpp_subtimes *t, uint32_t sub)
{
    dprofpp_subtime *row = row_of(t, sub);
    if (row->found == 0)
        row->found = ++t->found;
    return row;
}

void dprofpp_subtimes_enter(dprofpp_subtimes *t, uint32_t sub)
{
    t->depth++;
    if (t->root_depth == 0 && (sub == t->root || (t->root == UINT32_MAX && t->depth == 1)))
        t->root_depth = t->depth;
    if (t->root_depth > 0)
        found_row(t, sub)->open++;
}

void dprofpp_subtimes_leave(dprofpp_subtimes *t, uint32_t sub, double incl_ticks, double excl_ticks)
{
    if (t->root_depth > 0) {
        dprofpp_subtime *row = row_of(t, sub);
        row->calls++;
        row->excl_ticks += excl_ticks;
        if (--row->open == 0)
            row->cumul_ticks += incl_ticks;
        t->calls++;
    }
    if (t->depth == t->root_depth) {
        t->incl_ticks += incl_ticks;
        t->root_depth = 0;
    }
    t->depth--;
}

void dprofpp_subtimes_end_stack(dprofpp_subtimes *t)
{
    t->depth = t->root_depth = 0;
    NYTP_EACH(dprofpp_subtime, subtime, t->rows)
        subtime->open = 0;
}

typedef struct adding {
    dprofpp_subtimes *to;
    const nytp_stacktree *tree;
    bool counts_samples;
    nytp_path path; /* of subs */
} adding;

static void add_node(void *context, uint32_t n, uint32_t depth)
{
    adding *a = context;
    const nytp_node *node = &a->tree->nodes[n];
    const bool is_outermost = nytp_path_enter(&a->path, depth, node->sub);
    dprofpp_subtime *row = found_row(a->to, node->sub);
    if (!a->counts_samples || is_outermost)
        row->calls += node->calls;
    row->excl_ticks += node->excl_ticks;
    if (is_outermost)
        row->cumul_ticks += node->incl_ticks;
    a->to->calls += node->calls;
}

void dprofpp_subtimes_add_stacks(dprofpp_subtimes *t, const nytp_stacktree *tree, size_t subs,
                                 bool counts_samples)
{
    adding a = {t, tree, counts_samples, nytp_path_new(subs)};
    nytp_stacktree_visit(tree, add_node, &a);
    t->incl_ticks += tree->nodes[0].incl_ticks;
    nytp_path_clear(&a.path);
}
