#include "stacks.h"

#include "calls/calltree.h"

/* Calls visit for all nodes, callers first. visit returns a value that its children are given. */
typedef uint32_t visit_fn(void *context, const nytp_node *node, uint32_t depth, uint32_t given);

typedef struct step {
    uint32_t node; /* 0: its siblings are done */
    uint32_t given;
} step;

static void walk(const nytp_stacktree *tree, visit_fn *visit, void *context)
{
    GArray *path = g_array_new(FALSE, FALSE, sizeof(step));
    GArray *parents = g_array_new(FALSE, FALSE, sizeof(uint32_t));
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
    g_array_free(path, TRUE);
    g_array_free(parents, TRUE);
}

typedef struct renumbering {
    nytp_stacktree to;
    const uint32_t *numbers; /* number in the report, indexed by that of the name in the tree */
    double scale;
} renumbering;

static uint32_t renumber(void *context, const nytp_node *node, uint32_t depth, uint32_t given)
{
    renumbering *r = context;
    (void)depth;
    nytp_stacktree_reserve(&r->to, 1);
    uint32_t n = nytp_stacktree_child(&r->to, &r->to.nodes[given].children, r->numbers[node->sub], 0);
    r->to.nodes[n].calls += node->calls;
    r->to.nodes[n].excl_ticks += node->excl_ticks * r->scale;
    return n;
}

static uint32_t append(void *context, const nytp_node *node, uint32_t depth, uint32_t given)
{
    GArray *all = context;
    html_stack s = {node->sub, depth, node->calls, node->excl_ticks, node->excl_ticks, 0};
    g_array_append_val(all, s);
    return given;
}

/* Fills incl_ticks and end. Backwards, the nodes below one come before it, its last child first. */
static void sum_up(GArray *all)
{
    html_stack *nodes = (html_stack *)(void *)all->data;
    for (uint32_t i = all->len; i-- > 0;) {
        uint32_t next = i + 1;
        while (next < all->len && nodes[next].depth > nodes[i].depth) {
            nodes[i].incl_ticks += nodes[next].incl_ticks;
            next = nodes[next].end;
        }
        nodes[i].end = next;
    }
}

uint32_t *html_stacks_numbers(nytp_calltree *tree, html_number_fn *number_of, void *context)
{
    const nytp_names *names = nytp_calltree_names(tree);
    uint32_t count = nytp_names_count(names);
    uint32_t *numbers = g_new(uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = number_of(context, nytp_names_get(names, i));
    return numbers;
}

GArray *html_stacks_new(nytp_calltree *tree, const uint32_t *numbers, double scale)
{
    const nytp_stacktree *stacks = nytp_calltree_stacks(tree);
    renumbering r = {.numbers = numbers, .scale = scale};
    nytp_stacktree_init(&r.to);
    walk(stacks, renumber, &r);
    GArray *all = g_array_sized_new(FALSE, FALSE, sizeof(html_stack), nytp_stacktree_count(&r.to));
    walk(&r.to, append, all);
    nytp_stacktree_clear(&r.to);
    sum_up(all);
    return all;
}
