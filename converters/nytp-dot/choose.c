#include "graph.h"

#include "base/order.h"
#include "model/grow.h"

#include <string.h>

static void hide(dot_graph *g, uint32_t i, enum dot_hidden why)
{
    dot_node *n = dot_graph_node(g, i);
    if (n->hidden == DOT_SHOWN)
        n->hidden = why;
}

static bool matches(const dot_graph *g, uint32_t i, const GRegex *regex)
{
    return g_regex_match(regex, dot_graph_node(g, i)->name, 0, NULL);
}

/* Hides the nodes that match, and nodes that are reached only through them. The root stays, since it stands
 * for the program. */
static void ignore_matching(dot_graph *g, const GRegex *regex)
{
    const uint32_t start = DOT_ROOT;
    g_autofree uint32_t *before = dot_graph_distances(g, &start, 1, false);
    for (uint32_t i = DOT_ROOT + 1; i < g->nodes->len; i++)
        if (matches(g, i, regex))
            hide(g, i, DOT_HIDDEN_IGNORED);
    g_autofree uint32_t *after = dot_graph_distances(g, &start, 1, false);
    for (uint32_t i = 0; i < g->nodes->len; i++)
        if (before[i] != UINT32_MAX && after[i] == UINT32_MAX)
            hide(g, i, DOT_HIDDEN_IGNORED);
}

static void keep_reached(dot_graph *g, uint32_t start, bool upwards, enum dot_hidden why)
{
    g_autofree uint32_t *distances = dot_graph_distances(g, &start, 1, upwards);
    for (uint32_t i = 0; i < g->nodes->len; i++)
        if (distances[i] == UINT32_MAX)
            hide(g, i, why);
}

/* Keeps the nodes that match, all callers above them and all callees below them. */
static void focus_on_matching(dot_graph *g, const GRegex *regex)
{
    g_autofree uint32_t *matching = g_new(uint32_t, g->nodes->len);
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->nodes->len; i++)
        if (dot_graph_shows(g, i) && matches(g, i, regex))
            matching[count++] = i;
    g_autofree uint32_t *below = dot_graph_distances(g, matching, count, false);
    g_autofree uint32_t *above = dot_graph_distances(g, matching, count, true);
    for (uint32_t i = 0; i < g->nodes->len; i++)
        if (below[i] == UINT32_MAX && above[i] == UINT32_MAX)
            hide(g, i, DOT_HIDDEN_FOCUS);
}

static void limit_depth(dot_graph *g, uint32_t start, bool upwards, uint32_t depth)
{
    g_autofree uint32_t *distances = dot_graph_distances(g, &start, 1, upwards);
    for (uint32_t i = 0; i < g->nodes->len; i++)
        if (distances[i] > depth)
            hide(g, i, DOT_HIDDEN_DEPTH);
}

/* Nodes that options name are shown even if they took little time. */
static void hide_small(dot_graph *g, const dot_choose_options *o, const bool *wanted)
{
    const double least_ticks = nytp_least_ticks(o->min, g->total_ticks, g->measure.ticks_per_base);
    uint32_t shown = 0;
    for (uint32_t i = 0; i < g->nodes->len; i++)
        shown += wanted[i] && dot_graph_shows(g, i);
    for (uint32_t k = 0; k < g->nodes->len; k++) {
        uint32_t i = g->order[k];
        if (wanted[i] || !dot_graph_shows(g, i))
            continue;
        if (dot_graph_node(g, i)->incl_ticks < least_ticks)
            hide(g, i, DOT_HIDDEN_THRESHOLD);
        else if (o->max_nodes > 0 && shown >= o->max_nodes)
            hide(g, i, DOT_HIDDEN_MAX_NODES);
        else
            shown++;
    }
}

/* dot takes minutes for graphs with many more edges, and their lines are too many to follow. */
enum { FEW_EDGES = 100, EDGES_PER_NODE = 2 };

static gint lightest_first(gconstpointer a, gconstpointer b, gpointer context)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    double x = dot_edge_weight(dot_graph_edge(context, i)), y = dot_edge_weight(dot_graph_edge(context, k));
    return nytp_order2(NYTP_ORDER(x, y), NYTP_ORDER(k, i));
}

static void hide_lightest(dot_graph *g, GArray *spare, uint32_t shown_nodes, uint32_t shown_edges)
{
    uint32_t most = MAX(FEW_EDGES, EDGES_PER_NODE * shown_nodes);
    g_array_sort_with_data(spare, lightest_first, g);
    for (guint i = 0; i < spare->len && shown_edges > most; i++, shown_edges--)
        dot_graph_edge(g, g_array_index(spare, uint32_t, i))->shown = false;
}

/* Each node keeps the heaviest edge that leads to it, so that it is connected. */
static void show_edges(dot_graph *g, nytp_least min)
{
    const double least_ticks = nytp_least_ticks(min, g->total_ticks, g->measure.ticks_per_base);
    g_autoptr(GArray) spare = NYTP_ARRAY(uint32_t);
    uint32_t nodes = 0, edges = 0;
    for (uint32_t i = 0; i < g->nodes->len; i++) {
        bool led_to = false;
        nodes += dot_graph_shows(g, i);
        for (uint32_t k = g->first_in[i]; dot_graph_shows(g, i) && k < g->first_in[i + 1]; k++) {
            dot_edge *e = dot_graph_edge(g, g->in[k]);
            bool is_loop = e->from == e->to, is_spare = led_to && !is_loop;
            if (!dot_graph_shows(g, e->from))
                continue;
            e->shown = !is_spare || dot_edge_weight(e) >= least_ticks;
            edges += e->shown;
            led_to |= !is_loop;
            if (is_spare && e->shown)
                g_array_append_val(spare, g->in[k]);
        }
    }
    hide_lightest(g, spare, nodes, edges);
}

/* Returns all calls from hidden nodes to a node, as one edge. */
static dot_edge hidden_calls_of(const dot_graph *g, uint32_t to)
{
    dot_edge sum = {.to = to};
    for (uint32_t k = g->first_in[to]; k < g->first_in[to + 1]; k++) {
        const dot_edge *e = dot_graph_edge(g, g->in[k]);
        if (dot_graph_shows(g, e->from))
            continue;
        sum.calls += e->calls;
        sum.incl_ticks += e->incl_ticks;
        sum.inner_ticks += e->inner_ticks;
        sum.excl_ticks += e->excl_ticks;
    }
    sum.incl_ticks = MIN(sum.incl_ticks, dot_graph_node(g, to)->incl_ticks);
    sum.inner_ticks = MIN(sum.inner_ticks, dot_graph_node(g, to)->incl_ticks);
    return sum;
}

/* Goes up from a node along the heaviest calls. Returns the first shown node, after *passed hidden ones, or
 * UINT32_MAX if there is none. */
static uint32_t shown_above(const dot_graph *g, uint32_t start, uint32_t *passed)
{
    g_autofree bool *seen = g_new0(bool, g->nodes->len);
    uint32_t at = start, steps = 0;
    do {
        uint32_t k = g->first_in[at], end = g->first_in[at + 1];
        seen[at] = true;
        while (k < end && seen[dot_graph_edge(g, g->in[k])->from])
            k++;
        at = k < end ? dot_graph_edge(g, g->in[k])->from : UINT32_MAX;
        steps++;
    } while (at != UINT32_MAX && !dot_graph_shows(g, at));
    *passed = steps - 1;
    return at;
}

static bool has_shown_caller(const dot_graph *g, uint32_t i)
{
    for (uint32_t k = g->first_in[i]; k < g->first_in[i + 1]; k++) {
        const dot_edge *e = dot_graph_edge(g, g->in[k]);
        if (e->shown && e->from != i)
            return true;
    }
    return false;
}

bool dot_choose_detour(const dot_graph *g, uint32_t to, dot_edge *detour, uint32_t *passed)
{
    if (!dot_graph_shows(g, to) || has_shown_caller(g, to))
        return false;
    *detour = hidden_calls_of(g, to);
    detour->from = shown_above(g, to, passed);
    return detour->from != UINT32_MAX;
}

/* Returns a message that suggests subs with that name in other packages. */
static char *no_such_sub(const dot_graph *g, const char *option, const char *name)
{
    for (uint32_t k = 0; k < g->nodes->len; k++) {
        const dot_node *n = dot_graph_node(g, g->order[k]);
        const char *own = n->name + n->package_length;
        if (n->package_length > 0 && *own == ':' && strcmp(own + 2, name) == 0)
            return g_strdup_printf("--%s=%s: no such sub was called; %s was", option, name, n->name);
    }
    return g_strdup_printf("--%s=%s: no such %s was called", option, name, g->packages ? "package" : "sub");
}

char *dot_choose(dot_graph *g, const dot_choose_options *o)
{
    int64_t root = o->root != NULL ? dot_graph_find(g, o->root) : DOT_ROOT;
    int64_t leaf = o->leaf != NULL ? dot_graph_find(g, o->leaf) : DOT_ROOT;
    if (root < 0)
        return no_such_sub(g, "from", o->root);
    if (leaf < 0)
        return no_such_sub(g, "to", o->leaf);
    g_autofree bool *wanted = g_new0(bool, g->nodes->len);
    wanted[root] = true;
    wanted[leaf] = true;
    if (o->ignore != NULL)
        ignore_matching(g, o->ignore);
    if (o->root != NULL)
        keep_reached(g, (uint32_t)root, false, DOT_HIDDEN_ROOT);
    if (o->leaf != NULL)
        keep_reached(g, (uint32_t)leaf, true, DOT_HIDDEN_LEAF);
    if (o->focus != NULL)
        focus_on_matching(g, o->focus);
    bool from_leaf = o->root == NULL && o->leaf != NULL;
    if (o->depth > 0)
        limit_depth(g, (uint32_t)(from_leaf ? leaf : root), from_leaf, o->depth);
    hide_small(g, o, wanted);
    show_edges(g, o->min_edge);
    return NULL;
}

void dot_choose_sums(const dot_graph *g, dot_choose_sum sums[DOT_HIDDEN_REASONS])
{
    memset(sums, 0, DOT_HIDDEN_REASONS * sizeof *sums);
    NYTP_EACH(const dot_node, n, g->nodes) {
        if (n->hidden == DOT_SHOWN)
            continue;
        enum dot_hidden both[] = {DOT_SHOWN, n->hidden};
        for (size_t k = 0; k < G_N_ELEMENTS(both); k++) {
            sums[both[k]].count += dot_graph_members(g, n);
            sums[both[k]].calls += n->calls + n->inner_calls;
            sums[both[k]].excl_ticks += n->excl_ticks;
        }
    }
}

dot_choose_sum dot_choose_hidden_edges(const dot_graph *g)
{
    dot_choose_sum sum = {0};
    NYTP_EACH(const dot_edge, e, g->edges) {
        if (e->shown || !dot_graph_shows(g, e->from) || !dot_graph_shows(g, e->to))
            continue;
        sum.count++;
        sum.calls += e->calls;
        sum.excl_ticks += e->excl_ticks;
    }
    return sum;
}
