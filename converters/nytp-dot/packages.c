#include "graph.h"

#include "draw.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/package.h"

#include <stdlib.h>
#include <string.h>

char *dot_package_name(const char *name)
{
    size_t length = nytp_package_length_of(name);
    return length > 0 ? g_strndup(name, length) : g_strdup("(no package)");
}

char *dot_package_rename(void *context, nytp_str raw, size_t *length)
{
    g_autofree char *clean = dot_label_name(raw);
    char *package = dot_package_name(clean);
    (void)context;
    *length = strlen(package);
    return package;
}

typedef struct walk {
    dot_graph *g;
    GHashTable *by_name; /* to node + 1 */
    GArray *stack;       /* uint32_t: nodes */
    uint32_t *on_stack;  /* by node: how often it is there */
} walk;

static void return_to_depth(walk *w, guint depth)
{
    for (guint i = depth; i < w->stack->len; i++)
        w->on_stack[g_array_index(w->stack, uint32_t, i)]--;
    g_array_set_size(w->stack, depth);
}

static bool enter(void *context, const nytp_call *call)
{
    walk *w = context;
    g_autofree char *name = g_strndup(call->name.bytes, call->name.length);
    uint32_t known = GPOINTER_TO_UINT(g_hash_table_lookup(w->by_name, name));
    /* A cut profile can lack the arcs of a package. Its time counts for the package of the root, which is on
     * every stack. */
    uint32_t to = known > 0 ? known - 1 : DOT_ROOT;
    return_to_depth(w, call->depth + 1);
    dot_edge ends = {.from = g_array_index(w->stack, uint32_t, call->depth), .to = to};
    dot_edge *e = bsearch(&ends, w->g->edges->data, w->g->edges->len, sizeof ends, dot_edge_compare);
    const bool is_outermost = w->on_stack[to] == 0;
    if (is_outermost)
        dot_graph_node(w->g, to)->incl_ticks += call->incl_ticks;
    if (e != NULL && e->from != e->to)
        *(is_outermost ? &e->incl_ticks : &e->inner_ticks) += call->incl_ticks;
    w->on_stack[to]++;
    g_array_append_val(w->stack, to);
    return true;
}

void dot_packages_measure(dot_graph *g, nytp_calltree *stacks)
{
    uint64_t calls;
    double excl_ticks;
    nytp_calltree_totals(stacks, &calls, &excl_ticks);
    if (calls != nytp_profile_totals(g->profile).calls || g->edges->len == 0)
        return;
    uint32_t root = DOT_ROOT;
    walk w = {.g = g,
              .by_name = g_hash_table_new(nytp_hash_of_text, g_str_equal),
              .stack = g_array_new(FALSE, FALSE, sizeof root),
              .on_stack = g_new0(uint32_t, g->nodes->len)};
    for (uint32_t i = 0; i < g->nodes->len; i++) {
        dot_graph_node(g, i)->incl_ticks = 0;
        g_hash_table_insert(w.by_name, dot_graph_node(g, i)->name, GUINT_TO_POINTER(i + 1));
    }
    NYTP_EACH(dot_edge, edge, g->edges)
        edge->incl_ticks = edge->inner_ticks = 0;
    g_array_append_val(w.stack, root);
    w.on_stack[root] = 1;
    nytp_calltree_walk(stacks, enter, &w);
    g_hash_table_destroy(w.by_name);
    g_array_free(w.stack, TRUE);
    g_free(w.on_stack);
}
