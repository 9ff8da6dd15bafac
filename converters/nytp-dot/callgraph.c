#include "callgraph.h"

#include "label.h"
#include "model/names.h"
#include "model/profile.h"
#include "packages.h"

#include <string.h>

enum { ROOT = 0, NONE = -1 };

/* Subs of the profile, while the graph is made. */
typedef struct sub_role {
    bool called, calls;
    bool folded;     /* a built-in whose time its callers have */
    uint32_t vertex; /* of called ones that are not folded */
} sub_role;

typedef struct making {
    callgraph *g;
    const callgraph_options *options;
    sub_role *roles;     /* by number of sub */
    GHashTable *by_name; /* packages: name to vertex + 1; subs: names that are taken */
} making;

/* ---- vertices ---- */

/* The name of an anonymous sub has that of its file, which may hold anything: "A::__ANON__[b::c.pl:1]". */
size_t callgraph_package(const char *name)
{
    size_t length = strcspn(name, "[");
    while (length > 1 && (name[length - 1] != ':' || name[length - 2] != ':'))
        length--;
    return length > 2 ? length - 2 : 0;
}

char *callgraph_package_name(const char *name)
{
    size_t length = callgraph_package(name);
    return length > 0 ? g_strndup(name, length) : g_strdup("(no package)");
}

static uint32_t add_vertex(making *m, vertex v)
{
    uint32_t number = m->g->vertices->len;
    g_array_append_val(m->g->vertices, v);
    return number;
}

static uint32_t vertex_of_package(making *m, const char *sub)
{
    char *name = callgraph_package_name(sub);
    gpointer known = g_hash_table_lookup(m->by_name, name);
    if (known == NULL) {
        vertex v = {.name = name, .package_length = strlen(name)};
        known = GUINT_TO_POINTER(add_vertex(m, v) + 1);
        g_hash_table_insert(m->by_name, name, known);
    } else {
        g_free(name);
    }
    uint32_t number = GPOINTER_TO_UINT(known) - 1;
    callgraph_vertex(m->g, number)->subs++;
    return number;
}

static void find_place(const nytp_profile *profile, const nytp_sub *sub, vertex *v)
{
    const nytp_range *home = nytp_sub_home(sub);
    const nytp_file *file = home != NULL ? nytp_profile_survivor(profile, home->fid) : NULL;
    if (file == NULL)
        return;
    v->fid = file->fid;
    v->line = home->first_line;
}

static uint32_t vertex_of_sub(making *m, const nytp_sub *sub)
{
    char *name = sub->name.length > 0 ? label_name(sub->name) : g_strdup("(unnamed)");
    if (m->options->packages) {
        uint32_t number = vertex_of_package(m, name);
        g_free(name);
        return number;
    }
    vertex v = {.name = nytp_name_reserve(m->by_name, name), .kind = sub->kind};
    v.package_length = callgraph_package(v.name);
    find_place(m->g->profile, sub, &v);
    return add_vertex(m, v);
}

static void add_root(making *m)
{
    nytp_sub root = {.name = {"main::RUNTIME", strlen("main::RUNTIME"), false}};
    vertex_of_sub(m, &root);
}

static void add_vertices(making *m)
{
    const nytp_profile *profile = m->g->profile;
    uint32_t subs = nytp_profile_sub_count(profile);
    m->roles = g_new0(sub_role, subs);
    for (size_t i = 0; i < nytp_profile_arc_count(profile); i++) {
        const nytp_arc *arc = nytp_profile_arc(profile, i);
        m->roles[arc->callee].called |= arc->count > 0;
        m->roles[arc->caller].calls |= arc->count > 0;
    }
    add_root(m);
    for (uint32_t i = 0; i < subs; i++) {
        sub_role *role = &m->roles[i];
        nytp_sub sub;
        nytp_profile_sub(profile, i, &sub);
        role->called = role->called && !nytp_sub_is_root(&sub);
        role->folded = m->options->without_builtins && sub.kind == NYTP_SUB_OPCODE && !role->calls;
        if (role->called && !role->folded)
            role->vertex = vertex_of_sub(m, &sub);
    }
}

/* ---- edges ---- */

static void add_arc(making *m, const nytp_arc *arc)
{
    const sub_role *caller = &m->roles[arc->caller], *callee = &m->roles[arc->callee];
    uint32_t from = caller->called ? caller->vertex : ROOT;
    if (callee->folded) {
        callgraph_vertex(m->g, from)->excl_ticks += (double)arc->incl_ticks;
        return;
    }
    if (!callee->called)
        return;
    edge e = {from,           callee->vertex, arc->count, (double)arc->incl_ticks, (double)arc->excl_ticks,
              arc->max_depth, false};
    vertex *v = callgraph_vertex(m->g, e.to);
    v->excl_ticks += e.excl_ticks;
    m->g->total_calls += e.calls;
    if (m->options->packages && e.from == e.to) {
        v->inner_calls += e.calls;
        return;
    }
    v->calls += e.calls;
    v->incl_ticks += e.incl_ticks;
    g_array_append_val(m->g->edges, e);
}

gint callgraph_by_ends(gconstpointer a, gconstpointer b)
{
    const edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Sorted; those between the same two are one. */
static void merge_edges(callgraph *g)
{
    g_array_sort(g->edges, callgraph_by_ends);
    guint kept = 0;
    for (guint i = 0; i < g->edges->len; i++) {
        const edge *e = callgraph_edge(g, i);
        edge *last = kept > 0 ? callgraph_edge(g, kept - 1) : NULL;
        if (last != NULL && callgraph_by_ends(last, e) == 0) {
            last->calls += e->calls;
            last->incl_ticks += e->incl_ticks;
            last->excl_ticks += e->excl_ticks;
            last->max_depth = MAX(last->max_depth, e->max_depth);
        } else {
            *callgraph_edge(g, kept++) = *e;
        }
    }
    g_array_set_size(g->edges, kept);
}

static gint heaviest_first(gconstpointer a, gconstpointer b, gpointer context)
{
    const callgraph *g = context;
    const edge *x = callgraph_edge(g, *(const uint32_t *)a), *y = callgraph_edge(g, *(const uint32_t *)b);
    double weight_x = callgraph_weight(x), weight_y = callgraph_weight(y);
    if (weight_x != weight_y)
        return weight_x > weight_y ? -1 : 1;
    if (x->calls != y->calls)
        return x->calls > y->calls ? -1 : 1;
    return strcmp(callgraph_vertex(g, x->from)->name, callgraph_vertex(g, y->from)->name);
}

static void index_edges(callgraph *g)
{
    uint32_t vertices = g->vertices->len;
    g->first_out = g_new0(uint32_t, vertices + 1);
    g->first_in = g_new0(uint32_t, vertices + 1);
    g->in = g_new(uint32_t, g->edges->len + 1); /* not NULL where there are none */
    for (uint32_t i = 0; i < g->edges->len; i++) {
        g->first_out[callgraph_edge(g, i)->from + 1]++;
        g->first_in[callgraph_edge(g, i)->to + 1]++;
    }
    for (uint32_t i = 0; i < vertices; i++) {
        g->first_out[i + 1] += g->first_out[i];
        g->first_in[i + 1] += g->first_in[i];
    }
    uint32_t *next = g_memdup2(g->first_in, vertices * sizeof *next);
    for (uint32_t i = 0; i < g->edges->len; i++)
        g->in[next[callgraph_edge(g, i)->to]++] = i;
    g_free(next);
    for (uint32_t i = 0; i < vertices; i++)
        g_qsort_with_data(g->in + g->first_in[i], (gint)(g->first_in[i + 1] - g->first_in[i]), sizeof *g->in,
                          heaviest_first, g);
}

/* ---- sums ---- */

/* Clocks step back, calls do not return, and packages call one another
 * back: times are kept between 0 and the whole, and inclusive ones not below exclusive ones. */
static void settle_times(callgraph *g)
{
    double statement_ticks = (double)nytp_profile_totals(g->profile).statement_ticks, in_subs = 0;
    for (uint32_t i = 0; i < g->vertices->len; i++) {
        vertex *v = callgraph_vertex(g, i);
        v->excl_ticks = MAX(v->excl_ticks, 0);
        in_subs += v->excl_ticks;
    }
    vertex *root = callgraph_vertex(g, ROOT);
    root->excl_ticks += MAX(statement_ticks - in_subs, 0);
    g->total_ticks = MAX(in_subs, statement_ticks);
    for (uint32_t i = 0; i < g->vertices->len; i++) {
        vertex *v = callgraph_vertex(g, i);
        v->incl_ticks = CLAMP(v->incl_ticks, v->excl_ticks, g->total_ticks);
    }
    root->incl_ticks = g->total_ticks;
    for (uint32_t i = 0; i < g->edges->len; i++) {
        edge *e = callgraph_edge(g, i);
        e->incl_ticks = CLAMP(e->incl_ticks, 0, g->total_ticks);
        e->excl_ticks = CLAMP(e->excl_ticks, 0, g->total_ticks);
    }
}

static gint longest_first(gconstpointer a, gconstpointer b, gpointer context)
{
    const vertex *x = callgraph_vertex(context, *(const uint32_t *)a),
                 *y = callgraph_vertex(context, *(const uint32_t *)b);
    if (x->incl_ticks != y->incl_ticks)
        return x->incl_ticks > y->incl_ticks ? -1 : 1;
    if (x->excl_ticks != y->excl_ticks)
        return x->excl_ticks > y->excl_ticks ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void order_vertices(callgraph *g)
{
    g->order = g_new(uint32_t, g->vertices->len);
    for (uint32_t i = 0; i < g->vertices->len; i++)
        g->order[i] = i;
    g_qsort_with_data(g->order, (gint)g->vertices->len, sizeof *g->order, longest_first, g);
}

/* ---- all of it ---- */

callgraph *callgraph_new(const nytp_profile *profile, nytp_calltree *stacks, const callgraph_options *options)
{
    callgraph *g = g_new0(callgraph, 1);
    g->profile = profile;
    g->packages = options->packages;
    g->vertices = g_array_new(FALSE, FALSE, sizeof(vertex));
    g->edges = g_array_new(FALSE, FALSE, sizeof(edge));
    making m = {.g = g, .options = options, .by_name = g_hash_table_new(g_str_hash, g_str_equal)};
    add_vertices(&m);
    for (size_t i = 0; i < nytp_profile_arc_count(profile); i++)
        add_arc(&m, nytp_profile_arc(profile, i));
    g_hash_table_destroy(m.by_name);
    g_free(m.roles);
    merge_edges(g);
    if (stacks != NULL)
        packages_measure(g, stacks);
    settle_times(g);
    index_edges(g);
    order_vertices(g);
    return g;
}

void callgraph_free(callgraph *g)
{
    for (uint32_t i = 0; i < g->vertices->len; i++)
        g_free(callgraph_vertex(g, i)->name);
    g_array_free(g->vertices, TRUE);
    g_array_free(g->edges, TRUE);
    g_free(g->first_out);
    g_free(g->first_in);
    g_free(g->in);
    g_free(g->order);
    g_free(g);
}

double callgraph_share(const callgraph *g, double ticks)
{
    return g->total_ticks > 0 ? ticks / g->total_ticks : 0;
}

int64_t callgraph_find(const callgraph *g, const char *name)
{
    for (uint32_t i = 0; i < g->vertices->len; i++)
        if (strcmp(callgraph_vertex(g, i)->name, name) == 0)
            return i;
    return NONE;
}

uint32_t *callgraph_distances(const callgraph *g, const uint32_t *starts, size_t count, bool upwards)
{
    uint32_t *distances = g_new(uint32_t, g->vertices->len), *queue = g_new(uint32_t, g->vertices->len);
    uint32_t queued = 0;
    memset(distances, 0xFF, g->vertices->len * sizeof *distances);
    for (size_t i = 0; i < count; i++) {
        if (distances[starts[i]] == UINT32_MAX)
            queue[queued++] = starts[i];
        distances[starts[i]] = 0;
    }
    const uint32_t *first = upwards ? g->first_in : g->first_out;
    for (uint32_t at = 0; at < queued; at++) {
        for (uint32_t i = first[queue[at]]; i < first[queue[at] + 1]; i++) {
            const edge *e = callgraph_edge(g, upwards ? g->in[i] : i);
            uint32_t next = upwards ? e->from : e->to;
            if (distances[next] != UINT32_MAX || callgraph_vertex(g, next)->left != LEFT_NOT)
                continue;
            distances[next] = distances[queue[at]] + 1;
            queue[queued++] = next;
        }
    }
    g_free(queue);
    return distances;
}
