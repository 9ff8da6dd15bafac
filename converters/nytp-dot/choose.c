#include "choose.h"

#include <string.h>

enum { TOP = 0 };

static void leave_out(callgraph *g, uint32_t i, enum callgraph_left why)
{
    vertex *v = callgraph_vertex(g, i);
    if (v->left == LEFT_NOT)
        v->left = why;
}

static bool is_shown(const callgraph *g, uint32_t i)
{
    return callgraph_vertex(g, i)->left == LEFT_NOT;
}

/* ---- by name ---- */

static bool matches(const callgraph *g, uint32_t i, const GRegex *regex)
{
    return g_regex_match(regex, callgraph_vertex(g, i)->name, 0, NULL);
}

/* What matches goes, and what only it leads to. The root stays: it stands for all of the program. */
static void ignore_matching(callgraph *g, const GRegex *regex)
{
    const uint32_t start = TOP;
    uint32_t *before = callgraph_distances(g, &start, 1, false);
    for (uint32_t i = TOP + 1; i < g->vertices->len; i++)
        if (matches(g, i, regex))
            leave_out(g, i, LEFT_IGNORED);
    uint32_t *after = callgraph_distances(g, &start, 1, false);
    for (uint32_t i = 0; i < g->vertices->len; i++)
        if (before[i] != UINT32_MAX && after[i] == UINT32_MAX)
            leave_out(g, i, LEFT_IGNORED);
    g_free(before);
    g_free(after);
}

static void keep_reached(callgraph *g, uint32_t start, bool upwards, enum callgraph_left why)
{
    uint32_t *distances = callgraph_distances(g, &start, 1, upwards);
    for (uint32_t i = 0; i < g->vertices->len; i++)
        if (distances[i] == UINT32_MAX)
            leave_out(g, i, why);
    g_free(distances);
}

/* What matches stays, with all ways to it and from it. */
static void focus_on_matching(callgraph *g, const GRegex *regex)
{
    uint32_t *matching = g_new(uint32_t, g->vertices->len), count = 0;
    for (uint32_t i = 0; i < g->vertices->len; i++)
        if (is_shown(g, i) && matches(g, i, regex))
            matching[count++] = i;
    uint32_t *below = callgraph_distances(g, matching, count, false);
    uint32_t *above = callgraph_distances(g, matching, count, true);
    for (uint32_t i = 0; i < g->vertices->len; i++)
        if (below[i] == UINT32_MAX && above[i] == UINT32_MAX)
            leave_out(g, i, LEFT_FOCUS);
    g_free(below);
    g_free(above);
    g_free(matching);
}

/* ---- by size ---- */

static void limit_depth(callgraph *g, uint32_t start, bool upwards, uint32_t depth)
{
    uint32_t *distances = callgraph_distances(g, &start, 1, upwards);
    for (uint32_t i = 0; i < g->vertices->len; i++)
        if (distances[i] > depth)
            leave_out(g, i, LEFT_DEPTH);
    g_free(distances);
}

/* Those that were asked for by name are shown however little time they took. */
static void drop_small(callgraph *g, const choose_options *o, const bool *wanted)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < g->vertices->len; i++)
        shown += wanted[i] && is_shown(g, i);
    for (uint32_t k = 0; k < g->vertices->len; k++) {
        uint32_t i = g->order[k];
        if (wanted[i] || !is_shown(g, i))
            continue;
        if (callgraph_share(g, callgraph_vertex(g, i)->incl_ticks) * 100 < o->node_threshold)
            leave_out(g, i, LEFT_THRESHOLD);
        else if (o->max_nodes > 0 && shown >= o->max_nodes)
            leave_out(g, i, LEFT_MAX_NODES);
        else
            shown++;
    }
}

/* ---- edges ---- */

/* Dot takes minutes for what has many more edges than that, and nobody can follow them. */
enum { FEW_EDGES = 100, EDGES_PER_VERTEX = 2 };

static gint lightest_first(gconstpointer a, gconstpointer b, gpointer context)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    double x = callgraph_weight(callgraph_edge(context, i)), y = callgraph_weight(callgraph_edge(context, k));
    if (x != y)
        return x < y ? -1 : 1;
    return (i < k) - (i > k);
}

static void hide_lightest(callgraph *g, GArray *spare, uint32_t shown_vertices, uint32_t shown_edges)
{
    uint32_t most = MAX(FEW_EDGES, EDGES_PER_VERTEX * shown_vertices);
    g_array_sort_with_data(spare, lightest_first, g);
    for (guint i = 0; i < spare->len && shown_edges > most; i++, shown_edges--)
        callgraph_edge(g, g_array_index(spare, uint32_t, i))->shown = false;
}

/* Every vertex keeps the heaviest of the edges that lead to it: else it would hang in the air. */
static void show_edges(callgraph *g, double threshold)
{
    GArray *spare = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint32_t vertices = 0, edges = 0;
    for (uint32_t i = 0; i < g->vertices->len; i++) {
        bool led_to = false;
        vertices += is_shown(g, i);
        for (uint32_t k = g->first_in[i]; is_shown(g, i) && k < g->first_in[i + 1]; k++) {
            edge *e = callgraph_edge(g, g->in[k]);
            bool is_loop = e->from == e->to, is_spare = led_to && !is_loop;
            if (!is_shown(g, e->from))
                continue;
            e->shown = !is_spare || callgraph_share(g, callgraph_weight(e)) * 100 >= threshold;
            edges += e->shown;
            led_to |= !is_loop;
            if (is_spare && e->shown)
                g_array_append_val(spare, g->in[k]);
        }
    }
    hide_lightest(g, spare, vertices, edges);
    g_array_free(spare, TRUE);
}

/* All calls of a vertex by such that are not shown, as one edge. */
static edge hidden_calls_of(const callgraph *g, uint32_t to)
{
    edge sum = {.to = to};
    for (uint32_t k = g->first_in[to]; k < g->first_in[to + 1]; k++) {
        const edge *e = callgraph_edge(g, g->in[k]);
        if (is_shown(g, e->from))
            continue;
        sum.calls += e->calls;
        sum.incl_ticks += e->incl_ticks;
        sum.excl_ticks += e->excl_ticks;
    }
    sum.incl_ticks = MIN(sum.incl_ticks, callgraph_vertex(g, to)->incl_ticks);
    return sum;
}

/* Goes up from a vertex along the heaviest calls. The first that is shown, by way of *passed others;
 * UINT32_MAX: there is none. */
static uint32_t shown_above(const callgraph *g, uint32_t start, uint32_t *passed)
{
    bool *seen = g_new0(bool, g->vertices->len);
    uint32_t at = start, steps = 0;
    do {
        uint32_t k = g->first_in[at], end = g->first_in[at + 1];
        seen[at] = true;
        while (k < end && seen[callgraph_edge(g, g->in[k])->from])
            k++;
        at = k < end ? callgraph_edge(g, g->in[k])->from : UINT32_MAX;
        steps++;
    } while (at != UINT32_MAX && !is_shown(g, at));
    g_free(seen);
    *passed = steps - 1;
    return at;
}

bool choose_detour(const callgraph *g, uint32_t to, edge *detour, uint32_t *passed)
{
    *detour = hidden_calls_of(g, to);
    detour->from = shown_above(g, to, passed);
    return detour->from != UINT32_MAX;
}

/* ---- all of it ---- */

/* The names that end like it may help. */
static char *no_such_sub(const callgraph *g, const char *option, const char *name)
{
    for (uint32_t k = 0; k < g->vertices->len; k++) {
        const vertex *v = callgraph_vertex(g, g->order[k]);
        const char *own = v->name + v->package_length;
        if (v->package_length > 0 && *own == ':' && strcmp(own + 2, name) == 0)
            return g_strdup_printf("--%s=%s: no such sub was called; %s was", option, name, v->name);
    }
    return g_strdup_printf("--%s=%s: no such %s was called", option, name, g->packages ? "package" : "sub");
}

char *choose_shown(callgraph *g, const choose_options *o)
{
    int64_t root = o->root != NULL ? callgraph_find(g, o->root) : TOP;
    int64_t leaf = o->leaf != NULL ? callgraph_find(g, o->leaf) : TOP;
    if (root < 0)
        return no_such_sub(g, "root", o->root);
    if (leaf < 0)
        return no_such_sub(g, "leaf", o->leaf);
    bool *wanted = g_new0(bool, g->vertices->len);
    wanted[root] = true;
    wanted[leaf] = true;
    if (o->ignore != NULL)
        ignore_matching(g, o->ignore);
    if (o->root != NULL)
        keep_reached(g, (uint32_t)root, false, LEFT_ROOT);
    if (o->leaf != NULL)
        keep_reached(g, (uint32_t)leaf, true, LEFT_LEAF);
    if (o->focus != NULL)
        focus_on_matching(g, o->focus);
    bool from_leaf = o->root == NULL && o->leaf != NULL;
    if (o->depth > 0)
        limit_depth(g, (uint32_t)(from_leaf ? leaf : root), from_leaf, o->depth);
    drop_small(g, o, wanted);
    show_edges(g, o->edge_threshold);
    g_free(wanted);
    return NULL;
}

/* ---- what was left out ---- */

void choose_sums(const callgraph *g, choose_sum sums[LEFT_REASONS])
{
    memset(sums, 0, LEFT_REASONS * sizeof *sums);
    for (uint32_t i = 0; i < g->vertices->len; i++) {
        const vertex *v = callgraph_vertex(g, i);
        if (v->left == LEFT_NOT)
            continue;
        enum callgraph_left both[] = {LEFT_NOT, v->left};
        for (size_t k = 0; k < G_N_ELEMENTS(both); k++) {
            sums[both[k]].count++;
            sums[both[k]].calls += v->calls + v->inner_calls;
            sums[both[k]].excl_ticks += v->excl_ticks;
        }
    }
}

choose_sum choose_hidden_edges(const callgraph *g)
{
    choose_sum sum = {0};
    for (uint32_t i = 0; i < g->edges->len; i++) {
        const edge *e = callgraph_edge(g, i);
        if (e->shown || !is_shown(g, e->from) || !is_shown(g, e->to))
            continue;
        sum.count++;
        sum.calls += e->calls;
        sum.excl_ticks += e->excl_ticks;
    }
    return sum;
}
