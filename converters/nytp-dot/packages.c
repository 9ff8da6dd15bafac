#include "packages.h"

#include "label.h"

#include <stdlib.h>
#include <string.h>

typedef struct walk {
    callgraph *g;
    GHashTable *by_name; /* to vertex + 1 */
    GArray *stack;       /* uint32_t: vertices */
    uint32_t *on_stack;  /* how often, by vertex */
} walk;

char *packages_rename(void *context, nytp_str raw, size_t *length)
{
    char *clean = label_name(raw), *package = callgraph_package_name(clean);
    (void)context;
    g_free(clean);
    *length = strlen(package);
    return package;
}

static void leave_to(walk *w, guint depth)
{
    for (guint i = depth; i < w->stack->len; i++)
        w->on_stack[g_array_index(w->stack, uint32_t, i)]--;
    g_array_set_size(w->stack, depth);
}

static bool enter(void *context, const nytp_call *call)
{
    walk *w = context;
    const uint32_t root = 0;
    char *name = g_strndup(call->name.bytes, call->name.length);
    uint32_t at = GPOINTER_TO_UINT(g_hash_table_lookup(w->by_name, name));
    g_free(name);
    /* The root's package is on every stack. Arcs may be missing of what stacks have: cut profiles. */
    uint32_t to = at > 0 ? at - 1 : root;
    leave_to(w, call->depth + 1);
    edge ends = {.from = g_array_index(w->stack, uint32_t, call->depth), .to = to};
    if (w->on_stack[to] == 0) {
        edge *e = bsearch(&ends, w->g->edges->data, w->g->edges->len, sizeof ends, callgraph_by_ends);
        callgraph_vertex(w->g, to)->incl_ticks += call->incl_ticks;
        if (e != NULL)
            e->incl_ticks += call->incl_ticks;
    }
    w->on_stack[to]++;
    g_array_append_val(w->stack, to);
    return true;
}

void packages_measure(callgraph *g, nytp_calltree *stacks)
{
    uint64_t calls;
    double excl_ticks;
    nytp_calltree_totals(stacks, &calls, &excl_ticks);
    if (calls != nytp_profile_totals(g->profile).calls || g->edges->len == 0)
        return;
    uint32_t root = 0;
    walk w = {.g = g,
              .by_name = g_hash_table_new(g_str_hash, g_str_equal),
              .stack = g_array_new(FALSE, FALSE, sizeof root),
              .on_stack = g_new0(uint32_t, g->vertices->len)};
    for (uint32_t i = 0; i < g->vertices->len; i++) {
        callgraph_vertex(g, i)->incl_ticks = 0;
        g_hash_table_insert(w.by_name, callgraph_vertex(g, i)->name, GUINT_TO_POINTER(i + 1));
    }
    for (uint32_t i = 0; i < g->edges->len; i++)
        callgraph_edge(g, i)->incl_ticks = 0;
    g_array_append_val(w.stack, root);
    w.on_stack[root] = 1;
    nytp_calltree_walk(stacks, enter, &w);
    g_hash_table_destroy(w.by_name);
    g_array_free(w.stack, TRUE);
    g_free(w.on_stack);
}
