/* Libcgraph quotes what it writes, so a name can contain any character that the attribute itself does not
 * interpret (see draw.h). Its functions take char *, and copy the string. */
#include "draw.h"

#include "model/hashes.h"

#include <cgraph.h>
#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct drawing {
    const dot_graph *g;
    const dot_draw_options *options;
    double most_self;   /* the most exclusive time of a box */
    double most_change; /* the greatest change of a shown node's time, in ticks */
    Agraph_t *graph;
    Agnode_t **nodes; /* boxes, by node; NULL: not shown */
} drawing;

static void set(void *object, const char *attribute, const char *value)
{
    agsafeset(object, (char *)attribute, (char *)value, (char *)"");
}

static void set_number(void *object, const char *attribute, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    set(object, attribute, g_ascii_formatd(text, sizeof text, "%.2f", value));
}

static void set_and_free(void *object, const char *attribute, char *value)
{
    set(object, attribute, value);
    g_free(value);
}

static double weight_of(const drawing *d, const dot_node *n)
{
    if (!d->options->color_by_self)
        return dot_graph_share(d->g, n->incl_ticks);
    return d->most_self > 0 ? dot_chain_self_ticks(d->g, n) / d->most_self : 0;
}

/* Most subs have small shares. The square root spreads these over more of the colours. */
static dot_theme_colors colors_of(const drawing *d, double weight)
{
    return dot_theme_at(d->options->theme, sqrt(weight));
}

static double change_of(const drawing *d, const dot_node *n)
{
    return d->options->color_by_self ? n->excl_ticks - n->old_excl_ticks : n->incl_ticks - n->old_incl_ticks;
}

/* Built-ins are grey, whatever time they take: what can be changed are the subs that use them. */
static dot_theme_colors colors_of_node(const drawing *d, const dot_node *n, double weight)
{
    const double light = 0.25;
    const bool is_grey = n->kind == NYTP_SUB_OPCODE && d->options->theme != DOT_THEME_PRINT;
    return is_grey ? dot_theme_at(DOT_THEME_GRAY, light) : colors_of(d, weight);
}

/* 0.5 is neutral in the colours of a comparison: no change. The themes without hues stay as they are, because
 * the texts have the sign. */
static dot_theme_colors colors_of_change(const drawing *d, double change)
{
    const enum dot_theme theme = d->options->theme;
    const double part = d->most_change > 0 ? fmin(fabs(change) / d->most_change, 1) : 0;
    if (theme == DOT_THEME_GRAY || theme == DOT_THEME_PRINT)
        return dot_theme_at(theme, sqrt(part));
    return dot_theme_at(DOT_THEME_CHANGE, 0.5 + copysign(sqrt(part), change) / 2);
}

/* To libcgraph a name that begins with a percent sign is anonymous, so such a name gets a blank before it. No
 * other name begins or ends with a blank, because names are clean. */
static char *node_id(const dot_node *n)
{
    g_autofree char *escaped = dot_label_escaped(n->name);
    return g_strconcat(n->name[0] == '%' ? " " : "", escaped, NULL);
}

static void draw_node(drawing *d, uint32_t i)
{
    const double font_least = 9, font_more = 5, border_least = 0.7, border_more = 3;
    const dot_node *n = dot_graph_node(d->g, i);
    double weight = weight_of(d, n);
    dot_theme_colors colors =
        d->g->compares ? colors_of_change(d, change_of(d, n)) : colors_of_node(d, n, weight);
    g_autofree char *id = node_id(n);
    Agnode_t *node = d->nodes[i] = agnode(d->graph, id, 1);
    for (const dot_node *joined = n; joined->next != 0; joined = dot_chain_next(d->g, joined))
        d->nodes[joined->next] = node;
    set_and_free(node, "label", dot_caption_node(d->g, n, d->options->cluster != DOT_CLUSTER_PACKAGE));
    set_and_free(node, "tooltip", dot_caption_node_tooltip(d->g, n));
    set(node, "fillcolor", colors.fill);
    set(node, "fontcolor", colors.text);
    set(node, "color", colors.border);
    set_number(node, "fontsize", font_least + font_more * weight);
    set_number(node, "penwidth", border_least + border_more * weight);
    char *url = d->options->url != NULL ? dot_url_of(d->g, n, d->options->url) : NULL;
    if (url != NULL)
        set_and_free(node, "URL", url);
}

/* Returns the name of the node's cluster; NULL if it is in none. The caller must g_free() it. */
static char *cluster_name(const drawing *d, const dot_node *n)
{
    if (d->options->cluster == DOT_CLUSTER_PACKAGE)
        return n->package_length > 0 ? g_strndup(n->name, n->package_length) : NULL;
    const nytp_file *file = nytp_profile_file_by_fid(d->g->profile, n->fid);
    return file != NULL && file->name.length > 0 ? dot_label_name(file->name) : NULL;
}

/* Dot draws a frame around subgraphs whose names begin with "cluster". */
static Agraph_t *cluster_for(drawing *d, const char *name)
{
    const char *slash = d->options->cluster == DOT_CLUSTER_FILE ? strrchr(name, '/') : NULL;
    g_autofree char *escaped = dot_label_escaped(name), *id = g_strconcat("cluster ", escaped, NULL);
    g_autofree char *shown = dot_label_short(slash != NULL ? slash + 1 : name);
    Agraph_t *cluster = agsubg(d->graph, id, 1);
    set_and_free(cluster, "label", dot_label_escaped(shown));
    set(cluster, "fontsize", "14"); /* not the title's */
    set_and_free(cluster, "tooltip", dot_label_tip_escaped(name));
    return cluster;
}

/* By default dot ranks the nodes of each cluster separately, and fails ("trouble in init_rank") if a cycle of
 * calls leads through several clusters. With newrank it ranks all nodes together. */
static void draw_clusters(drawing *d)
{
    if (d->options->cluster == DOT_CLUSTER_NONE)
        return;
    set(d->graph, "newrank", "true");
    for (uint32_t k = 0; k < d->g->nodes->len; k++) {
        uint32_t i = d->g->order[k];
        g_autofree char *name = d->nodes[i] != NULL ? cluster_name(d, dot_graph_node(d->g, i)) : NULL;
        if (name != NULL)
            agsubnode(cluster_for(d, name), d->nodes[i], 1);
    }
}

/* passed: the number of hidden nodes that the edge leads through. */
static void draw_edge(drawing *d, const dot_edge *e, uint32_t passed)
{
    const double pen_least = 0.6, pen_more = 5, arrow_least = 0.5, arrow_more = 0.6, straighter = 100;
    const double font_least = 9, font_more = 3;
    double weight = dot_graph_share(d->g, dot_edge_weight(e));
    Agedge_t *drawn = agedge(d->graph, d->nodes[e->from], d->nodes[e->to], NULL, 1);
    dot_theme_colors colors =
        d->g->compares ? colors_of_change(d, dot_edge_weight(e) - e->old_ticks) : colors_of(d, weight);
    g_autofree char *tooltip = dot_caption_edge_tooltip(d->g, e, passed);
    set_and_free(drawn, "label", dot_caption_edge(d->g, e));
    set(drawn, "tooltip", tooltip);
    set(drawn, "labeltooltip", tooltip);
    set(drawn, "color", colors.line);
    set_number(drawn, "fontsize", font_least + font_more * weight);
    set_number(drawn, "penwidth", pen_least + pen_more * weight);
    set_number(drawn, "arrowsize", arrow_least + arrow_more * weight);
    if (d->nodes[e->from] != d->nodes[e->to])
        set_number(drawn, "weight", 1 + round(straighter * weight));
    if (passed > 0 || dot_edge_is_inner(e))
        set(drawn, "style", "dashed");
}

static void draw_edges_from(drawing *d, uint32_t from)
{
    const uint32_t joined = dot_graph_node(d->g, from)->next;
    for (uint32_t i = d->g->first_out[from]; i < d->g->first_out[from + 1]; i++) {
        const dot_edge *e = dot_graph_edge(d->g, i);
        if (e->shown && (joined == 0 || e->to != joined))
            draw_edge(d, e, 0);
    }
}

static void draw_detour_to(drawing *d, uint32_t i)
{
    dot_edge detour;
    uint32_t passed;
    if (dot_choose_detour(d->g, i, &detour, &passed))
        draw_edge(d, &detour, passed);
}

static void draw_note(drawing *d, const dot_choose_options *chosen)
{
    static char id[] = "not shown "; /* see node_id() */
    char *text = dot_caption_hidden(d->g, chosen);
    if (text == NULL)
        return;
    Agnode_t *note = agnode(d->graph, id, 1);
    set(note, "shape", "note");
    set(note, "style", "filled");
    set(note, "fillcolor", "#fffef2");
    set(note, "tooltip", "what is not shown");
    set_and_free(note, "label", text);
}

static void set_default(const drawing *d, int kind, const char *attribute, const char *value)
{
    agattr(d->graph, kind, (char *)attribute, (char *)value);
}

static void set_defaults(const drawing *d)
{
    static const char fonts[] = "Helvetica,Arial,sans-serif";
    const int kinds[] = {AGRAPH, AGNODE, AGEDGE};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        set_default(d, kinds[i], "fontname", fonts);
    set_default(d, AGRAPH, "labelloc", "t");
    set_default(d, AGRAPH, "nodesep", "0.2");
    set_default(d, AGRAPH, "ranksep", "0.25");
    set_default(d, AGRAPH, "style", "rounded");
    set_default(d, AGRAPH, "color", "#a0a0a0");
    set_default(d, AGNODE, "shape", "box");
    set_default(d, AGNODE, "style", "rounded,filled");
    set_default(d, AGNODE, "margin", "0.12,0.05");
    set_default(d, AGNODE, "fontsize", "10");
    set_default(d, AGNODE, "color", "#808080");
    set_default(d, AGEDGE, "fontsize", "9");
    set_default(d, AGEDGE, "fontcolor", "#404040");
}

/* When libcgraph is out of memory, it reports that and continues. This ends the program. */
static int end_for_memory(char *message)
{
    if (errno == ENOMEM)
        g_error("libcgraph: %s", message);
    return fputs(message, stderr);
}

/* Libcgraph writes subgraphs in the order of their ids, and the default ids of objects with names are
 * addresses. So objects get numbers, from 1 on. */

typedef struct ids {
    Agraph_t *graph; /* has the names */
    GHashTable *by_name;
    GPtrArray *names; /* char *, by number less 1; NULL: an object without a name */
} ids;

static void *ids_open(Agraph_t *graph, Agdisc_t *discipline)
{
    (void)discipline;
    ids *all = g_new(ids, 1);
    *all = (ids){graph, g_hash_table_new(nytp_hash_of_text, g_str_equal), g_ptr_array_new()};
    return all;
}

static void ids_close(void *state)
{
    ids *all = state;
    g_hash_table_destroy(all->by_name);
    g_ptr_array_free(all->names, TRUE);
    g_free(all);
}

/* Sets *id to that of the name, a new one if there is none and create is set. Returns whether there is one.
 */
static long ids_map(void *state, int type, char *name, IDTYPE *id, int create)
{
    ids *all = state;
    (void)type;
    *id = name != NULL ? GPOINTER_TO_UINT(g_hash_table_lookup(all->by_name, name)) : 0;
    if (*id != 0 || !create)
        return *id != 0;
    char *copy = name != NULL ? agstrdup(all->graph, name) : NULL;
    g_ptr_array_add(all->names, copy);
    *id = all->names->len;
    if (copy != NULL)
        g_hash_table_insert(all->by_name, copy, GUINT_TO_POINTER(all->names->len));
    return 1;
}

static char *ids_print(void *state, int type, IDTYPE id)
{
    (void)type;
    return ((const ids *)state)->names->pdata[id - 1];
}

static long ids_alloc(void *state, int type, IDTYPE id)
{
    (void)state, (void)type, (void)id;
    return 0;
}

static void ids_free(void *state, int type, IDTYPE id)
{
    (void)state, (void)type, (void)id;
}

static void ids_register(void *state, int type, void *object)
{
    (void)state, (void)type, (void)object;
}

static Agraph_t *new_graph(void)
{
    static Agiddisc_t numbers = {ids_open, ids_map, ids_alloc, ids_free, ids_print, ids_close, ids_register};
    static Agdisc_t disciplines = {.id = &numbers};
    static char name[] = "calls";
    return agopen(name, Agdirected, &disciplines);
}

void dot_draw(const dot_graph *g, const dot_draw_options *options, const dot_choose_options *chosen,
              FILE *out)
{
    agseterrf(end_for_memory);
    drawing d = {.g = g, .options = options, .graph = new_graph()};
    d.nodes = g_new0(Agnode_t *, g->nodes->len);
    for (uint32_t i = 0; i < g->nodes->len; i++) {
        const dot_node *n = dot_graph_node(g, i);
        if (!dot_graph_has_box(n))
            continue;
        d.most_self = MAX(d.most_self, dot_chain_self_ticks(g, n));
        d.most_change = MAX(d.most_change, fabs(change_of(&d, n)));
    }
    set_defaults(&d);
    set_and_free(d.graph, "label", dot_caption_graph(g));
    set(d.graph, "fontsize", "14");
    for (uint32_t k = 0; k < g->nodes->len; k++)
        if (dot_graph_has_box(dot_graph_node(g, g->order[k])))
            draw_node(&d, g->order[k]);
    draw_clusters(&d);
    for (uint32_t k = 0; k < g->nodes->len; k++) {
        if (d.nodes[g->order[k]] == NULL)
            continue;
        draw_edges_from(&d, g->order[k]);
        draw_detour_to(&d, g->order[k]);
    }
    draw_note(&d, chosen);
    agwrite(d.graph, out);
    agclose(d.graph);
    g_free(d.nodes);
}
