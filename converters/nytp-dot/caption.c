#include "draw.h"

#include "export/time_parts.h"

#include <string.h>

/* Names contain no line ends, because they are clean. */
static void add_line(GString *text, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add_line(GString *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *line = g_strdup_vprintf(format, args);
    va_end(args);
    if (text->len > 0)
        g_string_append_c(text, '\n');
    g_string_append(text, line);
}

static char *finish(GString *text, char *(*escape)(const char *))
{
    char *escaped = escape(text->str);
    g_string_free(text, TRUE);
    return escaped;
}

static void add_times(GString *text, const dot_graph *g, double incl_ticks, double excl_ticks)
{
    add_line(text, "inclusive %s (%s), self %s (%s)", dot_label_time(g, incl_ticks).text,
             dot_label_percent(dot_graph_share(g, incl_ticks)).text, dot_label_time(g, excl_ticks).text,
             dot_label_percent(dot_graph_share(g, excl_ticks)).text);
}

/* What changed of a node's inclusive time, if that is at least a thousandth of the total. */
static void add_change(GString *text, const dot_graph *g, const dot_node *n)
{
    const double change = n->incl_ticks - n->old_incl_ticks, least_share = 0.001;
    if (!g->compares || (!n->is_new && dot_graph_share(g, change < 0 ? -change : change) < least_share))
        return;
    add_line(text, "%s", n->is_new ? "new" : dot_label_change(g, change).text);
}

static void add_old_times(GString *text, const dot_graph *g, const dot_node *n)
{
    if (g->compares && n->is_new)
        add_line(text, "before: none");
    else if (g->compares)
        add_line(text, "before: inclusive %s, self %s", dot_label_time(g, n->old_incl_ticks).text,
                 dot_label_time(g, n->old_excl_ticks).text);
}

static void add_count(GString *text, const char *before, uint64_t count, const char *after)
{
    add_line(text, "%s%s%s", before, nytp_amount_whole(count).text, after);
}

/* Without its package. */
static const char *own_name(const dot_node *n)
{
    const char *rest = n->name + n->package_length;
    return n->package_length > 0 && *rest == ':' ? rest + strlen("::") : n->name;
}

static bool is_begin_blocks(const dot_graph *g, const dot_node *n)
{
    return n->subs > 0 && !g->packages;
}

/* Whether the profile is made of samples: calls were not counted then. */
static bool is_sampled(const dot_graph *g)
{
    return nytp_measure_is_sampled(&g->measure);
}

static bool is_same_package(const dot_node *a, const dot_node *b)
{
    return a->package_length == b->package_length && memcmp(a->name, b->name, a->package_length) == 0;
}

/* The names of the nodes that are joined with the first one, without the package of the one before. Of many,
 * some are counted. */
static void add_joined(GString *text, const dot_graph *g, const dot_node *first)
{
    enum { MOST = 4 };
    uint32_t last = 0, at = 1;
    const dot_node *before = first;
    for (const dot_node *n = first; n->next != 0; n = dot_chain_next(g, n))
        last++;
    for (const dot_node *n; (n = dot_chain_next(g, before)) != NULL; before = n, at++) {
        g_autofree char *name = dot_label_short(is_same_package(before, n) ? own_name(n) : n->name);
        if (last <= MOST || at < MOST - 1 || at == last)
            add_line(text, "\xe2\x80\xba %s", name);
        else if (at == MOST - 1)
            add_line(text, "\xe2\x80\xba %u more", last - at);
    }
}

char *dot_caption_node(const dot_graph *g, const dot_node *n, bool with_package)
{
    GString *text = g_string_new(NULL);
    g_autofree char *package = g_strndup(n->name, n->package_length);
    g_autofree char *shown_package = dot_label_short(package);
    g_autofree char *shown_name =
        is_begin_blocks(g, n) ? g_strdup_printf("%u BEGIN blocks", n->subs) : dot_label_short(own_name(n));
    if (n->package_length > 0 && own_name(n) != n->name && with_package)
        add_line(text, "%s", shown_package);
    add_line(text, "%s", shown_name);
    add_joined(text, g, n);
    add_line(text, "%s (%s)", dot_label_percent(dot_graph_share(g, n->incl_ticks)).text,
             dot_label_percent(dot_graph_share(g, dot_chain_self_ticks(g, n))).text);
    if (n->calls > 0 && !is_begin_blocks(g, n) && !is_sampled(g)) /* each block runs once */
        g_string_append_printf(text, "  %s\xc3\x97", nytp_amount_whole(n->calls).text);
    add_change(text, g, n);
    return finish(text, dot_label_escaped);
}

static void add_tip(GString *text, const dot_graph *g, const dot_node *n)
{
    static const char *const kinds[] = {
        [NYTP_SUB_PERL] = "", [NYTP_SUB_XSUB] = " (xsub)", [NYTP_SUB_OPCODE] = " (built-in)"};
    const nytp_file *file = nytp_profile_file_by_fid(g->profile, n->fid);
    add_line(text, "%s%s", n->name, kinds[n->kind]);
    if (file != NULL && file->name.length > 0) {
        g_autofree char *path = dot_label_name(file->name);
        if (n->line > 0)
            add_line(text, "%s:%u", path, n->line);
        else
            add_line(text, "%s", path);
    }
    add_times(text, g, n->incl_ticks, n->excl_ticks);
    add_old_times(text, g, n);
    if (n->subs > 0)
        add_count(text, "", n->subs,
                  is_begin_blocks(g, n) ? " BEGIN blocks"
                  : n->subs == 1        ? " sub"
                                        : " subs");
    if (n->calls > 0 && !is_sampled(g))
        add_count(text, g->packages ? "calls from other packages: " : "calls: ", n->calls, "");
    if (n->inner_calls > 0 && !is_sampled(g))
        add_count(text, "calls within: ", n->inner_calls, "");
}

char *dot_caption_node_tooltip(const dot_graph *g, const dot_node *first)
{
    GString *text = g_string_new(NULL);
    for (const dot_node *n = first; n != NULL; n = dot_chain_next(g, n))
        add_tip(text, g, n);
    return finish(text, dot_label_tip_escaped);
}

/* Whether all calls of a sub, and all its time as far as it is shown, come by one arrow. */
static bool is_all_of_its_box(const dot_graph *g, const dot_edge *e)
{
    const dot_node *to = dot_graph_node(g, e->to);
    const nytp_amount share = dot_label_percent(dot_graph_share(g, e->incl_ticks)),
                      all = dot_label_percent(dot_graph_share(g, to->incl_ticks));
    return e->calls == to->calls && e->max_depth == 0 && !dot_edge_is_inner(e) &&
           strcmp(share.text, all.text) == 0;
}

/* The blanks keep the text away from thick arrows. Without text dot puts the boxes nearer to one another. */
char *dot_caption_edge(const dot_graph *g, const dot_edge *e)
{
    GString *text = g_string_new(NULL);
    if (is_all_of_its_box(g, e))
        return finish(text, dot_label_escaped);
    if (dot_edge_is_inner(e))
        add_line(text, "  %s inner ", dot_label_percent(dot_graph_share(g, e->inner_ticks)).text);
    else if (e->incl_ticks > 0 || e->excl_ticks == 0) /* a loop has no inclusive time */
        add_line(text, "  %s ", dot_label_percent(dot_graph_share(g, e->incl_ticks)).text);
    if (e->max_depth > 0)
        add_count(text, "  depth ", e->max_depth, " ");
    if (!is_sampled(g))
        g_string_append_printf(text, "%s %s\xc3\x97 ", text->len > 0 ? "" : " ",
                               nytp_amount_whole(e->calls).text);
    return finish(text, dot_label_escaped);
}

char *dot_caption_edge_tooltip(const dot_graph *g, const dot_edge *e, uint32_t passed)
{
    GString *text = g_string_new(NULL);
    const char *from = dot_graph_node(g, e->from)->name, *to = dot_graph_node(g, e->to)->name;
    if (e->from == e->to)
        add_line(text, "%s calls itself", from);
    else
        add_line(text, "%s \xe2\x86\x92 %s", from, to);
    if (passed > 0)
        add_line(text, "by way of %u that are not shown", passed);
    add_times(text, g, e->incl_ticks, e->excl_ticks);
    if (e->inner_ticks > 0)
        add_line(text, "within other calls of the same: %s (%s)", dot_label_time(g, e->inner_ticks).text,
                 dot_label_percent(dot_graph_share(g, e->inner_ticks)).text);
    if (g->compares)
        add_line(text, "before: %s", dot_label_time(g, e->old_ticks).text);
    if (!is_sampled(g))
        add_count(text, "calls: ", e->calls, "");
    if (e->max_depth > 0)
        add_count(text, "recursion, up to ", e->max_depth, " deep");
    return finish(text, dot_label_tip_escaped);
}

/* With what it is made of, unless it is all work: the profiler's own time is in no share. */
static char *total_of(const dot_graph *g)
{
    nytp_time_parts parts = nytp_profile_time_parts(g->profile);
    parts.time_ticks = g->total_ticks;
    g_autofree char *text = nytp_time_parts_text(&parts, &g->measure);
    const nytp_amount total = dot_label_time(g, g->total_ticks);
    return nytp_measure_is_time(&g->measure) && strchr(text, '=') != NULL
               ? g_strdup_printf("%s\n100 %% are %s", text, total.text)
               : g_strdup(total.text);
}

char *dot_caption_graph(const dot_graph *g)
{
    GString *text = g_string_new(NULL);
    g_autofree char *program = dot_label_name(nytp_profile_attribute(g->profile, "application"));
    g_autofree char *shown = dot_label_short(program);
    if (*shown != '\0')
        add_line(text, "%s", shown);
    g_autofree char *total = total_of(g);
    if (is_sampled(g))
        add_line(text, "%s, sampled, %s", total,
                 nytp_amount_of((double)nytp_profile_totals(g->profile).statements,
                                nytp_measure_counted(&g->measure))
                     .text);
    else
        add_line(text, "%s, %s", total, nytp_amount_of((double)g->total_calls, "call").text);
    if (g->compares)
        add_line(text, "before: %s, change: %s", dot_label_time(g, g->old_total_ticks).text,
                 dot_label_change(g, g->total_ticks - g->old_total_ticks).text);
    return finish(text, dot_label_escaped);
}

static void add_reason(GString *text, enum dot_hidden why, uint32_t count, const dot_choose_options *chosen)
{
    const nytp_amount number = nytp_amount_whole(count);
    const char *digits = number.text;
    switch (why) {
    case DOT_HIDDEN_IGNORED: add_line(text, "%s by --ignore", digits); break;
    case DOT_HIDDEN_ROOT: add_line(text, "%s not below --from", digits); break;
    case DOT_HIDDEN_LEAF: add_line(text, "%s not above --to", digits); break;
    case DOT_HIDDEN_FOCUS: add_line(text, "%s out of --focus", digits); break;
    case DOT_HIDDEN_DEPTH: add_line(text, "%s beyond --depth=%u", digits, chosen->depth); break;
    case DOT_HIDDEN_THRESHOLD:
        add_line(text, "%s below --min=%g%s", digits, chosen->min.percent + chosen->min.ns / 1e3,
                 chosen->min.ns > 0 ? "us" : "");
        break;
    default: add_line(text, "%s beyond --max-nodes=%u", digits, chosen->max_nodes); break;
    }
}

static void add_hidden_edges(GString *text, const dot_graph *g)
{
    dot_choose_sum edges = dot_choose_hidden_edges(g);
    if (edges.count > 0)
        add_line(text, "%s, %s", nytp_amount_of((double)edges.count, "lighter arrow").text,
                 nytp_amount_of((double)edges.calls, "call").text);
}

/* Nodes that only the other profile has are not drawn. Those with the most time are listed. */
static void add_gone(GString *text, const dot_graph *g)
{
    enum { LISTED = 5 };
    for (guint i = 0; i < MIN(g->gone->len, LISTED); i++) {
        const dot_gone *gone = &g_array_index(g->gone, dot_gone, i);
        g_autofree char *name = dot_label_short(gone->name);
        add_line(text, "gone: %s, self %s", name, dot_label_time(g, gone->excl_ticks).text);
    }
    if (g->gone->len > LISTED)
        add_line(text, "gone: %u more", g->gone->len - LISTED);
}

char *dot_caption_hidden(const dot_graph *g, const dot_choose_options *chosen)
{
    dot_choose_sum sums[DOT_HIDDEN_REASONS];
    GString *text = g_string_new(NULL);
    dot_choose_sums(g, sums);
    if (sums[DOT_SHOWN].count > 0) {
        add_line(text, "Not shown: %s of %s %s", nytp_amount_whole(sums[DOT_SHOWN].count).text,
                 nytp_amount_whole(g->total_members).text, g->packages ? "packages" : "subs");
        add_line(text, "%s of the %s, %s",
                 dot_label_percent(dot_graph_share(g, sums[DOT_SHOWN].excl_ticks)).text, g->measure.noun,
                 nytp_amount_of((double)sums[DOT_SHOWN].calls, "call").text);
    }
    for (int why = DOT_SHOWN + 1; why < DOT_HIDDEN_REASONS; why++)
        if (sums[why].count > 0)
            add_reason(text, (enum dot_hidden)why, sums[why].count, chosen);
    add_hidden_edges(text, g);
    add_gone(text, g);
    if (text->len > 0)
        return finish(text, dot_label_escaped);
    g_string_free(text, TRUE);
    return NULL;
}
