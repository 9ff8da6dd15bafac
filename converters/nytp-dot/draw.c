/* Libcgraph quotes whatever it writes, so names may hold anything but what the
 * attribute itself gives a meaning to (label.h). Its functions want char *, and
 * copy it. */
#include "draw.h"

#include "caption.h"
#include "label.h"
#include "url.h"

#include <cgraph.h>
#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct drawing {
    const callgraph *g;
    const draw_options *options;
    double most_self; /* of the shown ones */
    Agraph_t *graph;
    Agnode_t **nodes; /* by vertex; NULL: not shown */
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

static void set_taking(void *object, const char *attribute, char *value)
{
    set(object, attribute, value);
    g_free(value);
}

/* ---- nodes ---- */

static double weight_of(const drawing *d, const vertex *v)
{
    if (!d->options->color_by_self)
        return callgraph_share(d->g, v->incl_ticks);
    return d->most_self > 0 ? v->excl_ticks / d->most_self : 0;
}

/* Most subs take little of the whole: the cold end of the colours is for more than the coldest of them. */
static theme_colors colors_of(const drawing *d, double weight)
{
    return theme_at(d->options->theme, sqrt(weight));
}

/* Names are clean: they neither begin nor end with a blank, so what does is another's. To libcgraph a name
 * that begins with a percent sign is none. */
static char *node_id(const vertex *v)
{
    char *escaped = label_escaped(v->name), *id = g_strconcat(v->name[0] == '%' ? " " : "", escaped, NULL);
    g_free(escaped);
    return id;
}

static void draw_node(drawing *d, uint32_t i)
{
    const double font_least = 10, font_more = 14, border_least = 0.7, border_more = 3;
    const vertex *v = callgraph_vertex(d->g, i);
    double weight = weight_of(d, v);
    theme_colors colors = colors_of(d, weight);
    char *id = node_id(v);
    Agnode_t *node = d->nodes[i] = agnode(d->graph, id, 1);
    g_free(id);
    set_taking(node, "label", caption_node(d->g, v, d->options->cluster != CLUSTER_PACKAGE));
    set_taking(node, "tooltip", caption_node_tooltip(d->g, v));
    set(node, "fillcolor", colors.fill);
    set(node, "fontcolor", colors.text);
    set(node, "color", colors.border);
    set_number(node, "fontsize", font_least + font_more * weight);
    set_number(node, "penwidth", border_least + border_more * weight);
    char *url = d->options->url != NULL ? url_of(d->g, v, d->options->url) : NULL;
    if (url != NULL)
        set_taking(node, "URL", url);
}

/* ---- clusters ---- */

/* What the cluster of a node is called; NULL: it is in none. */
static char *cluster_name(const drawing *d, const vertex *v)
{
    if (d->options->cluster == CLUSTER_PACKAGE)
        return v->package_length > 0 ? g_strndup(v->name, v->package_length) : NULL;
    const nytp_file *file = nytp_profile_find_fid(d->g->profile, v->fid);
    return file != NULL && file->name.length > 0 ? label_name(file->name) : NULL;
}

/* Dot draws a frame around subgraphs whose names begin with "cluster". */
static Agraph_t *cluster_for(drawing *d, const char *name)
{
    const char *slash = d->options->cluster == CLUSTER_FILE ? strrchr(name, '/') : NULL;
    char *escaped = label_escaped(name), *id = g_strconcat("cluster ", escaped, NULL);
    char *shown = label_short(slash != NULL ? slash + 1 : name);
    Agraph_t *cluster = agsubg(d->graph, id, 1);
    set_taking(cluster, "label", label_escaped(shown));
    set_taking(cluster, "tooltip", label_tip_escaped(name));
    g_free(escaped);
    g_free(shown);
    g_free(id);
    return cluster;
}

/* Dot ranks the nodes of each cluster by themselves, and fails ("trouble in init_rank") where calls lead
 * round through several, unless it is told to rank all nodes together. */
static void draw_clusters(drawing *d)
{
    if (d->options->cluster == CLUSTER_NONE)
        return;
    set(d->graph, "newrank", "true");
    for (uint32_t k = 0; k < d->g->vertices->len; k++) {
        uint32_t i = d->g->order[k];
        char *name = d->nodes[i] != NULL ? cluster_name(d, callgraph_vertex(d->g, i)) : NULL;
        if (name != NULL)
            agsubnode(cluster_for(d, name), d->nodes[i], 1);
        g_free(name);
    }
}

/* ---- edges ---- */

/* passed: how many that are not shown it leads through. */
static void draw_edge(drawing *d, const edge *e, uint32_t passed)
{
    const double pen_least = 0.6, pen_more = 5, arrow_least = 0.5, arrow_more = 0.6, straighter = 100;
    double weight = callgraph_share(d->g, callgraph_weight(e));
    Agedge_t *drawn = agedge(d->graph, d->nodes[e->from], d->nodes[e->to], NULL, 1);
    theme_colors colors = colors_of(d, weight);
    char *tooltip = caption_edge_tooltip(d->g, e, passed);
    set_taking(drawn, "label", caption_edge(d->g, e));
    set(drawn, "tooltip", tooltip);
    set(drawn, "labeltooltip", tooltip);
    set(drawn, "color", colors.line);
    set_number(drawn, "penwidth", pen_least + pen_more * weight);
    set_number(drawn, "arrowsize", arrow_least + arrow_more * weight);
    if (e->from != e->to)
        set_number(drawn, "weight", 1 + round(straighter * weight));
    if (passed > 0)
        set(drawn, "style", "dashed");
    g_free(tooltip);
}

static void draw_edges_from(drawing *d, uint32_t from)
{
    for (uint32_t i = d->g->first_out[from]; i < d->g->first_out[from + 1]; i++)
        if (callgraph_edge(d->g, i)->shown)
            draw_edge(d, callgraph_edge(d->g, i), 0);
}

static bool is_led_to(const drawing *d, uint32_t i)
{
    for (uint32_t k = d->g->first_in[i]; k < d->g->first_in[i + 1]; k++) {
        const edge *e = callgraph_edge(d->g, d->g->in[k]);
        if (e->shown && e->from != i)
            return true;
    }
    return false;
}

static void draw_detour_to(drawing *d, uint32_t i)
{
    edge detour;
    uint32_t passed;
    if (!is_led_to(d, i) && choose_detour(d->g, i, &detour, &passed))
        draw_edge(d, &detour, passed);
}

/* ---- all of it ---- */

static void draw_note(drawing *d, const choose_options *chosen)
{
    static char id[] = "not shown "; /* see node_id() */
    char *text = caption_left_out(d->g, chosen);
    if (text == NULL)
        return;
    Agnode_t *note = agnode(d->graph, id, 1);
    set(note, "shape", "note");
    set(note, "style", "filled");
    set(note, "fillcolor", "#fffef2");
    set(note, "tooltip", "what is not shown");
    set_taking(note, "label", text);
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
    set_default(d, AGRAPH, "nodesep", "0.25");
    set_default(d, AGRAPH, "ranksep", "0.4");
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

/* Libcgraph says that it was refused memory, and goes on without. */
static int end_for_memory(char *message)
{
    if (errno == ENOMEM)
        g_error("libcgraph: %s", message);
    return fputs(message, stderr);
}

void draw_graph(const callgraph *g, const draw_options *options, const choose_options *chosen, FILE *out)
{
    static char name[] = "calls";
    agseterrf(end_for_memory);
    drawing d = {.g = g, .options = options, .graph = agopen(name, Agdirected, NULL)};
    d.nodes = g_new0(Agnode_t *, g->vertices->len);
    for (uint32_t i = 0; i < g->vertices->len; i++)
        if (callgraph_vertex(g, i)->left == LEFT_NOT)
            d.most_self = MAX(d.most_self, callgraph_vertex(g, i)->excl_ticks);
    set_defaults(&d);
    set_taking(d.graph, "label", caption_graph(g));
    for (uint32_t k = 0; k < g->vertices->len; k++)
        if (callgraph_vertex(g, g->order[k])->left == LEFT_NOT)
            draw_node(&d, g->order[k]);
    draw_clusters(&d);
    for (uint32_t k = 0; k < g->vertices->len; k++) {
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
