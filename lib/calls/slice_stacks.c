#include "calls/time_slices.h"

#include "events/byte_at.h"
#include "model/eval_name.h"
#include "model/grow.h"

nytp_slice_stacks nytp_slice_stacks_new(void)
{
    const nytp_slice_node outside = {0, NYTP_NO_SUB};
    nytp_slice_stacks s = {.nodes = NYTP_ARRAY(nytp_slice_node),
                           .kinds = g_array_new(FALSE, TRUE, 1),
                           .path = NYTP_ARRAY(uint32_t)};
    g_array_append_val(s.nodes, outside);
    return s;
}

void nytp_slice_stacks_end_all(nytp_slice_stacks *stacks)
{
    if (stacks->tree == NULL)
        return;
    g_clear_pointer(&stacks->tree, nytp_calltree_free);
    nytp_stacktree_clear(&stacks->store);
}

void nytp_slice_stacks_free(nytp_slice_stacks *stacks)
{
    nytp_slice_stacks_end_all(stacks);
    g_array_free(stacks->nodes, TRUE);
    g_array_free(stacks->path, TRUE);
    g_array_free(stacks->kinds, TRUE);
}

bool nytp_slice_stacks_is_eval(const nytp_slice_stacks *stacks, uint32_t sub)
{
    enum { UNKNOWN, SUB, EVAL };
    uint8_t *kind = nytp_byte_at(stacks->kinds, sub);
    if (*kind == UNKNOWN)
        *kind = nytp_is_eval_frame(nytp_names_get(stacks->tree->raw, sub)) ? EVAL : SUB;
    return *kind == EVAL;
}

void nytp_slice_stacks_name(nytp_slice_stacks *stacks, nytp_names *names)
{
    stacks->tree = nytp_calltree_new_of(names, NULL, NULL);
    nytp_stacktree_init(&stacks->store);
}

/* Nothing is removed from the store, so a new node has the next number. */
static uint32_t child_of(nytp_slice_stacks *s, uint32_t parent, uint32_t sub)
{
    nytp_stacktree_reserve(&s->store, 1);
    const uint32_t n = nytp_stacktree_child(&s->store, &s->store.nodes[parent].children, sub, 0);
    const nytp_slice_node node = {parent, sub};
    if (n == s->nodes->len)
        g_array_append_val(s->nodes, node);
    return n;
}

/* Its name in the store is that of no sub. */
uint32_t nytp_slice_stacks_caller(nytp_slice_stacks *stacks)
{
    const uint32_t n = child_of(stacks, 0, NYTP_NO_SUB - ++stacks->callers);
    nytp_slice_stacks_name_caller(stacks, n, 0, NYTP_NO_SUB);
    return n;
}

void nytp_slice_stacks_name_caller(const nytp_slice_stacks *stacks, uint32_t caller, uint32_t parent,
                                   uint32_t sub)
{
    g_array_index(stacks->nodes, nytp_slice_node, caller) = (nytp_slice_node){parent, sub};
}

typedef struct taking {
    nytp_slice_stacks *stacks; /* whose path has the node that the visited ones are below, and those above
                                  the visited one */
    const nytp_slice_end *end;
} taking;

static void take_node(void *context, uint32_t number, uint32_t depth)
{
    const taking *t = context;
    nytp_slice_stacks *s = t->stacks;
    const nytp_node *node = &s->tree->stacks.nodes[number];
    const uint32_t n = child_of(s, g_array_index(s->path, uint32_t, depth), node->sub);
    if (node->calls > 0 || node->excl_ticks != 0)
        t->end->on_node(t->end->context, n, node);
    g_array_set_size(s->path, depth + 1);
    g_array_append_val(s->path, n);
}

static void take_below(taking *t, uint32_t parent, nytp_children children)
{
    g_array_set_size(t->stacks->path, 0);
    g_array_append_val(t->stacks->path, parent);
    nytp_stacktree_visit_list(&t->stacks->tree->stacks, children, take_node, t);
}

void nytp_slice_stacks_end(nytp_slice_stacks *stacks, const nytp_slice_end *end)
{
    nytp_calltree *tree = stacks->tree;
    taking t = {stacks, end};
    take_below(&t, 0, tree->stacks.nodes[0].children); /* what was called by calls that did not return */
    for (uint32_t i = 0; i <= tree->top; i++) {
        const nytp_waiting *level = &tree->levels[i];
        if (level->children.last != 0)
            take_below(&t, level->depth > 0 ? end->caller_of(end->context, level->depth) : 0,
                       level->children);
    }
    nytp_stacktree_empty(&tree->stacks);
    tree->top = 0;
    tree->levels[0] = (nytp_waiting){0};
}
