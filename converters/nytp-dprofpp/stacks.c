#include "view.h"

#include "model/grow.h"

typedef struct summing {
    nytp_stacktree *tree;
    GArray *path; /* uint32_t: nodes */
} summing;

static void leave_nodes(const summing *s, uint32_t depth)
{
    for (; s->path->len > depth; g_array_set_size(s->path, s->path->len - 1)) {
        const uint32_t *last = &g_array_index(s->path, uint32_t, s->path->len - 1);
        if (s->path->len > 1)
            s->tree->nodes[last[-1]].calls += s->tree->nodes[*last].calls;
    }
}

static void sum_node(void *context, uint32_t node, uint32_t depth)
{
    summing *s = context;
    leave_nodes(s, depth);
    g_array_append_val(s->path, node);
}

void dprofpp_stacks_sum_samples(nytp_stacktree *tree)
{
    summing s = {tree, NYTP_ARRAY(uint32_t)};
    nytp_stacktree_visit(tree, sum_node, &s);
    leave_nodes(&s, 0);
    g_array_free(s.path, TRUE);
}
