#include "caption.h"

#include "label.h"

#include <string.h>

/* Names are clean, so this is the only way that a line ends. */
static void add_line(GString *text, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add_line(GString *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *line = g_strdup_vprintf(format, args);
    va_end(args);
    if (text->len > 0)
        g_string_append_c(text, '\n');
    g_string_append(text, line);
    g_free(line);
}

static char *finish(GString *text, char *(*escape)(const char *))
{
    char *escaped = escape(text->str);
    g_string_free(text, TRUE);
    return escaped;
}

static void add_times(GString *text, const callgraph *g, double incl_ticks, double excl_ticks)
{
    char *incl = label_time(g, incl_ticks), *incl_share = label_percent(callgraph_share(g, incl_ticks));
    char *excl = label_time(g, excl_ticks), *excl_share = label_percent(callgraph_share(g, excl_ticks));
    add_line(text, "inclusive %s (%s), self %s (%s)", incl, incl_share, excl, excl_share);
    g_free(incl);
    g_free(incl_share);
    g_free(excl);
    g_free(excl_share);
}

static void add_count(GString *text, const char *before, uint64_t count, const char *behind)
{
    char *digits = label_count(count);
    add_line(text, "%s%s%s", before, digits, behind);
    g_free(digits);
}

/* Without its package. */
static const char *own_name(const vertex *v)
{
    const char *rest = v->name + v->package_length;
    return v->package_length > 0 && *rest == ':' ? rest + strlen("::") : v->name;
}

/* ---- nodes ---- */

char *caption_node(const callgraph *g, const vertex *v, bool with_package)
{
    GString *text = g_string_new(NULL);
    char *package = g_strndup(v->name, v->package_length), *shown_package = label_short(package);
    char *shown_name = label_short(own_name(v));
    char *incl = label_percent(callgraph_share(g, v->incl_ticks));
    char *excl = label_percent(callgraph_share(g, v->excl_ticks));
    if (v->package_length > 0 && own_name(v) != v->name && with_package)
        add_line(text, "%s", shown_package);
    add_line(text, "%s", shown_name);
    add_line(text, "%s (%s)", incl, excl);
    if (v->calls > 0)
        add_count(text, "", v->calls, "\xc3\x97");
    g_free(package);
    g_free(shown_package);
    g_free(shown_name);
    g_free(incl);
    g_free(excl);
    return finish(text, label_escaped);
}

char *caption_node_tooltip(const callgraph *g, const vertex *v)
{
    static const char *const kinds[] = {
        [NYTP_SUB_PERL] = "", [NYTP_SUB_XSUB] = " (xsub)", [NYTP_SUB_OPCODE] = " (built-in)"};
    GString *text = g_string_new(NULL);
    const nytp_file *file = nytp_profile_find_fid(g->profile, v->fid);
    add_line(text, "%s%s", v->name, kinds[v->kind]);
    if (file != NULL && file->name.length > 0) {
        char *path = label_name(file->name);
        if (v->line > 0)
            add_line(text, "%s:%u", path, v->line);
        else
            add_line(text, "%s", path);
        g_free(path);
    }
    add_times(text, g, v->incl_ticks, v->excl_ticks);
    if (v->subs > 0)
        add_count(text, "", v->subs, v->subs == 1 ? " sub" : " subs");
    if (v->calls > 0)
        add_count(text, v->subs > 0 ? "calls from other packages: " : "calls: ", v->calls, "");
    if (v->inner_calls > 0)
        add_count(text, "calls within: ", v->inner_calls, "");
    return finish(text, label_tip_escaped);
}

/* ---- edges ---- */

char *caption_edge(const callgraph *g, const edge *e)
{
    GString *text = g_string_new(NULL);
    if (e->incl_ticks > 0 || e->excl_ticks == 0) { /* recursive calls have no time of their own */
        char *share = label_percent(callgraph_share(g, e->incl_ticks));
        add_line(text, " %s ", share);
        g_free(share);
    }
    if (e->max_depth > 0)
        add_count(text, " depth ", e->max_depth, " ");
    add_count(text, " ", e->calls, "\xc3\x97 ");
    return finish(text, label_escaped);
}

char *caption_edge_tooltip(const callgraph *g, const edge *e, uint32_t passed)
{
    GString *text = g_string_new(NULL);
    const char *from = callgraph_vertex(g, e->from)->name, *to = callgraph_vertex(g, e->to)->name;
    if (e->from == e->to)
        add_line(text, "%s calls itself", from);
    else
        add_line(text, "%s \xe2\x86\x92 %s", from, to);
    if (passed > 0)
        add_line(text, "by way of %u that are not shown", passed);
    add_times(text, g, e->incl_ticks, e->excl_ticks);
    add_count(text, "calls: ", e->calls, "");
    if (e->max_depth > 0)
        add_count(text, "recursion, up to ", e->max_depth, " deep");
    return finish(text, label_tip_escaped);
}

/* ---- the whole ---- */

char *caption_graph(const callgraph *g)
{
    const nytp_setting *s = nytp_profile_setting(g->profile, NYTP_ATTRIBUTE, "application");
    GString *text = g_string_new(NULL);
    char *program = s != NULL ? label_name(s->value) : g_strdup("");
    char *shown = label_short(program), *time = label_time(g, g->total_ticks);
    char *calls = label_calls(g->total_calls);
    if (*shown != '\0')
        add_line(text, "%s", shown);
    add_line(text, "%s, %s", time, calls);
    g_free(program);
    g_free(shown);
    g_free(time);
    g_free(calls);
    return finish(text, label_escaped);
}

static void add_reason(GString *text, enum callgraph_left why, uint32_t count, const choose_options *chosen)
{
    switch (why) {
    case LEFT_IGNORED: add_line(text, "%u by --ignore", count); break;
    case LEFT_ROOT: add_line(text, "%u not below --root", count); break;
    case LEFT_LEAF: add_line(text, "%u not above --leaf", count); break;
    case LEFT_FOCUS: add_line(text, "%u out of --focus", count); break;
    case LEFT_DEPTH: add_line(text, "%u beyond --depth=%u", count, chosen->depth); break;
    case LEFT_THRESHOLD: add_line(text, "%u below --node-threshold=%g", count, chosen->node_threshold); break;
    default: add_line(text, "%u beyond --max-nodes=%u", count, chosen->max_nodes); break;
    }
}

static void add_hidden_edges(GString *text, const callgraph *g)
{
    choose_sum edges = choose_hidden_edges(g);
    char *calls = label_calls(edges.calls);
    if (edges.count > 0)
        add_line(text, "%u lighter arrow%s, %s", edges.count, edges.count == 1 ? "" : "s", calls);
    g_free(calls);
}

/* Nothing is left out in silence. */
char *caption_left_out(const callgraph *g, const choose_options *chosen)
{
    choose_sum sums[LEFT_REASONS];
    GString *text = g_string_new(NULL);
    choose_sums(g, sums);
    if (sums[LEFT_NOT].count > 0) {
        char *self = label_percent(callgraph_share(g, sums[LEFT_NOT].excl_ticks));
        char *calls = label_calls(sums[LEFT_NOT].calls);
        add_line(text, "Not shown: %u of %u %s", sums[LEFT_NOT].count, g->vertices->len,
                 g->packages ? "packages" : "subs");
        add_line(text, "%s of the time, %s", self, calls);
        g_free(self);
        g_free(calls);
    }
    for (int why = LEFT_NOT + 1; why < LEFT_REASONS; why++)
        if (sums[why].count > 0)
            add_reason(text, (enum callgraph_left)why, sums[why].count, chosen);
    add_hidden_edges(text, g);
    if (text->len > 0)
        return finish(text, label_escaped);
    g_string_free(text, TRUE);
    return NULL;
}
