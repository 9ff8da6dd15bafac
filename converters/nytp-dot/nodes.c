#include "graph.h"

#include "draw.h"
#include "base/str.h"
#include "model/package.h"
#include "model/display.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "nytprof-model.h"

#include <string.h>

/* What the graph makes of a sub of the profile. */
typedef struct sub_role {
    bool called, calls;
    bool folded;   /* a built-in whose time is added to its callers */
    uint32_t node; /* set for called subs that are not folded */
} sub_role;

typedef struct making {
    dot_graph *g;
    const dot_graph_options *options;
    sub_role *roles;   /* by number of sub */
    GHashTable *names; /* of nodes; for packages, the value is the node + 1 */
    GHashTable
        *begin_blocks; /* from the name without "@LINE" to the node + 1 of that package's BEGIN blocks */
} making;

static uint32_t add_node(making *m, dot_node n)
{
    uint32_t number = m->g->nodes->len;
    g_array_append_val(m->g->nodes, n);
    return number;
}

static uint32_t node_of_package(making *m, const char *sub)
{
    char *name = dot_package_name(sub);
    gpointer known = g_hash_table_lookup(m->names, name);
    if (known == NULL) {
        dot_node n = {.name = name, .package_length = strlen(name)};
        known = GUINT_TO_POINTER(add_node(m, n) + 1);
        g_hash_table_insert(m->names, name, known);
    } else {
        g_free(name);
    }
    uint32_t number = GPOINTER_TO_UINT(known) - 1;
    dot_graph_node(m->g, number)->subs++;
    return number;
}

static void find_place(const nytp_profile *profile, const nytp_sub *sub, dot_node *n)
{
    const nytp_range *range = nytp_sub_main_range(sub);
    const nytp_file *file = range != NULL ? nytp_profile_merged_file(profile, range->fid) : NULL;
    if (file == NULL)
        return;
    n->fid = file->fid;
    n->line = range->first_line;
}

/* Takes ownership of name. */
static uint32_t node_of_name(making *m, const nytp_sub *sub, char *name)
{
    dot_node n = {.name = nytp_name_reserve(m->names, name), .kind = sub->kind};
    n.package_length = nytp_package_length_of(n.name);
    find_place(m->g->profile, sub, &n);
    return add_node(m, n);
}

static size_t begin_block_length(const char *name)
{
    return nytp_begin_block_length(nytp_str_of(name));
}

/* Takes ownership of name. A block that is alone in its package keeps its name. */
static uint32_t node_of_begin_block(making *m, const nytp_sub *sub, char *name)
{
    char *common = g_strndup(name, begin_block_length(name));
    gpointer known = g_hash_table_lookup(m->begin_blocks, common);
    if (known == NULL) {
        uint32_t number = node_of_name(m, sub, name);
        g_hash_table_insert(m->begin_blocks, common, GUINT_TO_POINTER(number + 1));
        return number;
    }
    dot_node *n = dot_graph_node(m->g, GPOINTER_TO_UINT(known) - 1);
    if (n->subs == 0) {
        g_hash_table_remove(m->names, n->name);
        g_free(n->name);
        n->name = nytp_name_reserve(m->names, g_strdup(common));
        n->subs = 1;
    }
    n->subs++;
    g_free(name);
    g_free(common);
    return GPOINTER_TO_UINT(known) - 1;
}

static uint32_t node_of_sub(making *m, const nytp_sub *sub)
{
    char *name = sub->name.length > 0 ? dot_label_name(sub->name) : g_strdup("(unnamed)");
    if (m->options->packages) {
        uint32_t number = node_of_package(m, name);
        g_free(name);
        return number;
    }
    if (!m->options->begin_blocks && begin_block_length(name) > 0)
        return node_of_begin_block(m, sub, name);
    return node_of_name(m, sub, name);
}

static void add_root(making *m)
{
    nytp_sub root = {.name = nytp_str_of(NYTP_RUNTIME)};
    node_of_sub(m, &root);
}

/* A part of a call has time and does not count. */
static bool is_called(const nytp_arc *arc)
{
    return arc->count > 0 || arc->incl_ticks > 0 || arc->excl_ticks > 0;
}

static void add_nodes(making *m)
{
    const nytp_profile *profile = m->g->profile;
    size_t subs = nytp_profile_sub_count(profile);
    m->roles = g_new0(sub_role, subs);
    for (size_t i = 0; i < nytp_profile_arc_count(profile); i++) {
        const nytp_arc *arc = nytp_profile_arc(profile, i);
        m->roles[arc->callee].called |= is_called(arc);
        m->roles[arc->caller].calls |= is_called(arc);
    }
    add_root(m);
    for (uint32_t i = 0; i < subs; i++) {
        sub_role *role = &m->roles[i];
        nytp_sub sub;
        nytp_profile_sub(profile, i, &sub);
        role->called = role->called && !nytp_sub_is_root(&sub);
        role->folded = m->options->without_builtins && sub.kind == NYTP_SUB_OPCODE && !role->calls;
        if (role->called && !role->folded)
            role->node = node_of_sub(m, &sub);
    }
}

static void add_arc(making *m, const nytp_arc *arc)
{
    const sub_role *caller = &m->roles[arc->caller], *callee = &m->roles[arc->callee];
    uint32_t from = caller->called ? caller->node : DOT_ROOT;
    if (callee->folded) {
        dot_graph_node(m->g, from)->excl_ticks += (double)arc->incl_ticks;
        return;
    }
    if (!callee->called)
        return;
    dot_edge e = {.from = from,
                  .to = callee->node,
                  .calls = arc->count,
                  .incl_ticks = (double)arc->incl_ticks,
                  .inner_ticks = from != callee->node ? (double)arc->reci_ticks : 0,
                  .excl_ticks = (double)arc->excl_ticks,
                  .max_depth = arc->max_depth};
    dot_node *n = dot_graph_node(m->g, e.to);
    n->excl_ticks += e.excl_ticks;
    m->g->total_calls += e.calls;
    if (n->subs > 0 && e.from == e.to) {
        n->inner_calls += e.calls;
        return;
    }
    n->calls += e.calls;
    n->incl_ticks += e.incl_ticks;
    g_array_append_val(m->g->edges, e);
}

static void add_edge(void *record, const void *other)
{
    dot_edge *e = record;
    const dot_edge *more = other;
    e->calls += more->calls;
    e->incl_ticks += more->incl_ticks;
    e->inner_ticks += more->inner_ticks;
    e->excl_ticks += more->excl_ticks;
    e->max_depth = MAX(e->max_depth, more->max_depth);
}

/* Uses g_array_sort(), which is stable: the order in which times are added can change the last digit of a
 * sum. */
static void merge_edges(dot_graph *g)
{
    g_array_sort(g->edges, dot_edge_compare);
    nytp_group_merge(g->edges, dot_edge_compare, add_edge);
}

void dot_nodes_find(dot_graph *g, const dot_graph_options *options)
{
    making m = {.g = g,
                .options = options,
                .names = g_hash_table_new(nytp_hash_of_text, g_str_equal),
                .begin_blocks = g_hash_table_new_full(nytp_hash_of_text, g_str_equal, g_free, NULL)};
    g->packages = options->packages;
    add_nodes(&m);
    for (size_t i = 0; i < nytp_profile_arc_count(g->profile); i++)
        add_arc(&m, nytp_profile_arc(g->profile, i));
    g_hash_table_destroy(m.begin_blocks);
    g_hash_table_destroy(m.names);
    g_free(m.roles);
    merge_edges(g);
    NYTP_EACH(dot_node, node, g->nodes)
        g->total_members += dot_graph_members(g, node);
}
