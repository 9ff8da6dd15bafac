#include "test/unit/naive_calls.h"
#include "test/unit/support.h"

#include <string.h>

/* Some begin like others, one has no name at all: the order of names counts. */
static const char *const names[] = {"a", "a::b", "aa", "", "b", "b::c::d", "B", "\xc3\xa4", "a b", "zz"};

/* A call, in a GNode that has those it made as children. */
typedef struct call {
    const char *name;
    double excl_ticks;
    uint32_t depth;
    bool returned;
} call;

static GNode *call_new(const char *name, double excl_ticks, uint32_t depth)
{
    call *c = g_new0(call, 1);
    *c = (call){name, excl_ticks, depth, false};
    return g_node_new(c);
}

static bool has_returned(const GNode *node)
{
    return node->data != NULL && ((const call *)node->data)->returned;
}

static gboolean free_call(GNode *node, gpointer context)
{
    (void)context;
    g_free(node->data);
    return FALSE;
}

static void calls_free(GNode *root)
{
    g_node_traverse(root, G_PRE_ORDER, G_TRAVERSE_ALL, -1, free_call, NULL);
    g_node_destroy(root);
}

/* The stack of a call goes out to the last caller that has returned. */
static gboolean count_call(GNode *node, gpointer stacks)
{
    if (!has_returned(node))
        return FALSE;
    const call *c = node->data;
    GString *stack = g_string_new(c->name);
    for (const GNode *outer = node->parent; outer != NULL && has_returned(outer); outer = outer->parent) {
        g_string_prepend(stack, NAIVE_SEPARATOR);
        g_string_prepend(stack, ((const call *)outer->data)->name);
    }
    naive_stacks_add(stacks, stack->str, 1, c->excl_ticks);
    g_string_free(stack, TRUE);
    return FALSE;
}

static void count_calls(GNode *root, naive_stacks *stacks)
{
    g_node_traverse(root, G_PRE_ORDER, G_TRAVERSE_ALL, -1, count_call, stacks);
    calls_free(root);
}

void return_from(nytp_calltree *tree, uint32_t depth, const char *name, double excl_ticks)
{
    nytp_calltree_add(tree, &(nytp_chunk){
                                .tag = NYTP_SUB_RETURN,
                                .sub_return = {depth, 0, excl_ticks, {name, strlen(name), false}},
                            });
}

void new_process(nytp_calltree *tree)
{
    nytp_calltree_add(tree, &(nytp_chunk){.tag = NYTP_PID_START, .pid_start = {7, 1, 0}});
}

/* Mostly what was called last time from there, as programs do. */
static GNode *call_something(GNode *caller, uint32_t depth, uint64_t *random)
{
    uint64_t choice = random_next(random);
    size_t number =
        choice % 8 < 5 ? ((uint64_t)depth * 3 + choice / 8 % 2) % COUNT(names) : choice / 8 % COUNT(names);
    return g_node_append(caller, call_new(names[number], (double)(choice >> 40) - 1000, depth));
}

void naive_program(uint64_t seed, size_t max_events, nytp_calltree *tree, naive_stacks *stacks)
{
    GNode *root = g_node_new(NULL), *at = root;
    uint64_t random = seed;
    uint32_t depth = 0, deepest = 2 + (uint32_t)(seed % 12);
    for (size_t events = 0; events < max_events;) {
        uint64_t choice = random_next(&random) % 200;
        if (choice == 0) { /* the process is gone, and what was open with it */
            new_process(tree);
            at = root;
            depth = 0;
            events++;
        } else if (depth == 0 || (choice < 100 && depth < deepest)) {
            at = call_something(at, ++depth, &random);
        } else {
            call *c = at->data;
            return_from(tree, c->depth, c->name, c->excl_ticks);
            c->returned = true;
            at = at->parent;
            depth--;
            events++;
        }
    }
    count_calls(root, stacks);
}

/* Gives the calls pending one level deeper to their parent, and those pending deeper to the root. */
static void adopt(GPtrArray *waiting, GNode *parent, GNode *root, uint32_t depth)
{
    for (guint i = waiting->len; i-- > 0;) {
        GNode *node = waiting->pdata[i];
        uint32_t its_depth = ((const call *)node->data)->depth;
        if (its_depth <= depth)
            continue;
        g_node_append(its_depth - depth == 1 ? parent : root, node);
        g_ptr_array_remove_index(waiting, i);
    }
}

static uint32_t noisy_depth(uint64_t *random)
{
    uint64_t choice = random_next(random);
    switch (choice % 50) {
    case 0: return 0;
    case 1: return UINT32_MAX;
    case 2: return UINT32_MAX - 1;
    default: return (uint32_t)(choice >> 32) % 6;
    }
}

void naive_noise(uint64_t seed, size_t max_events, nytp_calltree *tree, naive_stacks *stacks)
{
    GNode *root = g_node_new(NULL);
    GPtrArray *waiting = g_ptr_array_new();
    uint64_t random = seed;
    for (size_t events = 0; events < max_events; events++) {
        uint32_t depth = noisy_depth(&random);
        GNode *node = call_new(names[random_next(&random) % COUNT(names)], (double)(events % 100), depth);
        call *c = node->data;
        return_from(tree, depth, c->name, c->excl_ticks);
        c->returned = true;
        adopt(waiting, node, root, depth);
        g_ptr_array_add(waiting, node);
    }
    for (guint i = 0; i < waiting->len; i++)
        g_node_append(root, waiting->pdata[i]);
    g_ptr_array_free(waiting, TRUE);
    count_calls(root, stacks);
}
