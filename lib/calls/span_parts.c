#include "calls/span_trees.h"

#include "model/grow.h"
#include "model/hashes.h"

struct nytp_span_parts {
    const nytp_calltree *calls;
    nytp_span_lines *lines;
    GHashTable *open; /* uint64_t *: id of a request, and its nytp_request_calls */
    GArray *path;     /* uint32_t, by depth: the node that is copied */
};

void nytp_request_calls_free(void *request_calls)
{
    nytp_request_calls *calls = request_calls;
    if (calls == NULL)
        return;
    nytp_stacktree_clear(&calls->stacks);
    g_ptr_array_unref(calls->lines);
    g_free(calls);
}

nytp_span_parts *nytp_span_parts_new(const nytp_calltree *calls, nytp_span_lines *lines)
{
    nytp_span_parts *p = g_new0(nytp_span_parts, 1);
    p->calls = calls;
    p->lines = lines;
    p->open = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, nytp_request_calls_free);
    p->path = NYTP_ARRAY(uint32_t);
    return p;
}

void nytp_span_parts_free(nytp_span_parts *parts)
{
    if (parts == NULL)
        return;
    g_hash_table_destroy(parts->open);
    g_array_unref(parts->path);
    g_free(parts);
}

void nytp_span_parts_begin_process(nytp_span_parts *parts)
{
    g_hash_table_remove_all(parts->open);
}

static nytp_request_calls *calls_of(const nytp_span_parts *p, uint64_t request)
{
    nytp_request_calls *calls = g_hash_table_lookup(p->open, &request);
    if (calls != NULL)
        return calls;
    calls = g_new0(nytp_request_calls, 1);
    nytp_stacktree_init(&calls->stacks);
    calls->lines = g_ptr_array_new_with_free_func(nytp_lines_of_span_unref);
    g_hash_table_insert(p->open, g_memdup2(&request, sizeof request), calls);
    return calls;
}

typedef struct copying {
    const nytp_stacktree *from;
    nytp_stacktree *to;
    GArray *path;
} copying;

static void copy_node(void *context, uint32_t number, uint32_t depth)
{
    const copying *c = context;
    const nytp_node *n = &c->from->nodes[number];
    nytp_stacktree_add_visited(c->to, c->path, depth, n->sub, n, 1);
}

void nytp_span_parts_join(GPtrArray *lines)
{
    while (lines->len > 1 && nytp_lines_of_span_join(lines->pdata[0], lines->pdata[1]))
        g_ptr_array_remove_index(lines, 1);
}

void nytp_span_parts_add(nytp_span_parts *parts, const nytp_call_event *part)
{
    const nytp_calltree *tree = parts->calls;
    nytp_request_calls *calls = calls_of(parts, part->request);
    copying c = {&tree->stacks, &calls->stacks, parts->path};
    calls->stacks.nodes[0].excl_ticks += nytp_calltree_scaled(tree, part->excl_ticks);
    for (uint32_t i = tree->top; i > 0 && tree->levels[i].depth > part->depth; i--)
        if (tree->levels[i].depth == part->depth + 1)
            nytp_stacktree_visit_list(&tree->stacks, tree->levels[i].children, copy_node, &c);
    nytp_span_parts_join(calls->lines);
    g_ptr_array_add(calls->lines, nytp_span_lines_add(parts->lines, part));
}

nytp_request_calls *nytp_span_parts_take(nytp_span_parts *parts, uint64_t request)
{
    gpointer id = NULL, calls = NULL;
    if (!g_hash_table_steal_extended(parts->open, &request, &id, &calls))
        return NULL;
    g_free(id);
    return calls;
}
