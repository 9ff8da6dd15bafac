#include "walk.h"

typedef struct step {
    uint32_t node; /* 0: its siblings are done */
    uint32_t given;
} step;

void html_stacks_walk(const nytp_stacktree *tree, html_stack_visit_fn *visit, void *context)
{
    g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(step));
    g_autoptr(GArray) parents = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint32_t parent = 0;
    step at = {nytp_stacktree_first(tree, 0), 0};
    while (at.node != 0 || path->len > 0) {
        if (at.node == 0) {
            at = g_array_index(path, step, path->len - 1);
            g_array_set_size(path, path->len - 1);
            parent = g_array_index(parents, uint32_t, parents->len - 1);
            g_array_set_size(parents, parents->len - 1);
            continue;
        }
        uint32_t given = visit(context, &tree->nodes[at.node], path->len, at.given);
        step rest = {nytp_stacktree_next(tree, parent, at.node), at.given};
        g_array_append_val(path, rest);
        g_array_append_val(parents, parent);
        parent = at.node;
        at = (step){nytp_stacktree_first(tree, parent), given};
    }
}
