#include "calls.h"
#include "view.h"

#include "base/newfile.h"
#include "base/str.h"
#include "calls/course.h"
#include "calls/calltree.h"
#include "export/json.h"
#include "model/grow.h"
#include "model/names.h"

#include <glib.h>

#include <math.h>

enum { STEP = 3 }; /* blanks of a level */

typedef struct writing {
    const dprofpp_view *view;
    uint32_t root; /* UINT32_MAX: all calls */
    FILE *out;
    char *blanks;        /* for the deepest indentation */
    GArray *shown;       /* uint32_t, by depth: the depth at which the callees are shown */
    uint32_t root_depth; /* of the current call of the root; UINT32_MAX: none */
    /* Consecutive calls that wait to be written: of one sub, at one depth, and, except for the last one,
     * without callees. */
    uint64_t count;
    uint32_t sub, depth;
} writing;

static void write_held(const writing *w)
{
    if (w->count == 0)
        return;
    nytp_str name = nytp_names_get(w->view->names, w->sub);
    fwrite_unlocked(w->blanks, 1, (size_t)MIN(w->depth, DPROFPP_DEEPEST) * STEP, w->out);
    if (w->depth > DPROFPP_DEEPEST)
        fprintf(w->out, "[%u deep] ", w->depth);
    fwrite_unlocked(name.bytes, 1, name.length, w->out);
    if (w->count > 1)
        fprintf(w->out, " (%llux)", (unsigned long long)w->count);
    putc_unlocked('\n', w->out);
}

static void hold(writing *w, uint32_t depth, uint32_t sub)
{
    if (w->view->options->form == DPROFPP_FOLDED && w->count > 0 && w->sub == sub && w->depth == depth) {
        w->count++;
        return;
    }
    write_held(w);
    w->sub = sub;
    w->depth = depth;
    w->count = 1;
}

/* Returns whether the call is one of the root, or below one. Makes *depth relative to that call. */
static bool below_root(writing *w, uint32_t *depth, uint32_t sub)
{
    if (w->root == UINT32_MAX)
        return true;
    if (*depth <= w->root_depth)
        w->root_depth = sub == w->root ? *depth : UINT32_MAX;
    *depth -= w->root_depth;
    return w->root_depth != UINT32_MAX;
}

static void write_call(writing *w, uint32_t depth, uint32_t sub)
{
    if (!below_root(w, &depth, sub))
        return;
    uint32_t shown = depth > 0 ? g_array_index(w->shown, uint32_t, depth - 1) : 0;
    uint32_t below = shown + !w->view->hidden[sub];
    g_array_set_size(w->shown, depth);
    g_array_append_val(w->shown, below);
    if (!w->view->hidden[sub] && (w->view->options->max_depth == 0 || shown < w->view->options->max_depth))
        hold(w, shown, sub);
}

/* Writes the calls. May be called once. Returns 0, or the errno of an error in the temporary file. Write
 * errors stay with out. */
static int write_order(nytp_callorder *order, const dprofpp_view *view, uint32_t root, FILE *out)
{
    writing w = {.view = view,
                 .root = root,
                 .out = out,
                 .blanks = g_strnfill((gsize)DPROFPP_DEEPEST * STEP, ' '),
                 .shown = NYTP_ARRAY(uint32_t),
                 .root_depth = UINT32_MAX};
    nytp_ordered_call call;
    nytp_callorder_turn(order);
    while (nytp_callorder_next(order, &call) && !ferror(out))
        write_call(&w, call.depth, call.sub);
    write_held(&w);
    g_array_free(w.shown, TRUE);
    g_free(w.blanks);
    return nytp_callorder_error(order);
}

static bool *hidden_names(const dprofpp_calls *c, const nytp_names *names)
{
    bool *hidden = g_new0(bool, nytp_names_count(names) + 1);
    for (uint32_t i = 0; i < nytp_names_count(names); i++)
        hidden[i] = dprofpp_hides(c->options, nytp_names_get(names, i));
    return hidden;
}

/* Makes a label of each row. */
static void show_labels(dprofpp_calls *c, dprofpp_view *v)
{
    v->names = dprofpp_labels_take(c);
    g_free((bool *)v->hidden);
    v->hidden = hidden_names(c, v->names);
}

/* Returns the run time, or the overhead, on the chosen clock. from: DPROFPP_RUN_USER or DPROFPP_OVER_USER. */
static double clock_sum(const dprofpp_calls *c, int from)
{
    const double *n = &c->header[from];
    switch (c->options->clock) {
    case NYTP_CLOCK_REAL: return n[2];
    case NYTP_CLOCK_USER: return n[0];
    case NYTP_CLOCK_SYSTEM: return n[1];
    default: return n[0] + n[1];
    }
}

/* As in dprofpp, 100 % of the table is the run time of the header without the profiler's overhead. With a
 * root it is the time of the root's calls. */
static void set_dprof_times(const dprofpp_calls *c, dprofpp_view *v)
{
    static const char *const clocks[] = {[NYTP_CLOCK_USER_SYSTEM] = "User+System Time",
                                         [NYTP_CLOCK_REAL] = "Real Time",
                                         [NYTP_CLOCK_USER] = "User Time",
                                         [NYTP_CLOCK_SYSTEM] = "System Time"};
    double overhead_ticks = c->overhead_ticks;
    v->clock = clocks[c->options->clock];
    v->as_dprofpp = true;
    if (c->options->root != NULL && c->header[DPROFPP_OVER_TESTS] > 0)
        overhead_ticks =
            (double)c->times.calls * clock_sum(c, DPROFPP_OVER_USER) / c->header[DPROFPP_OVER_TESTS];
    if (c->has_run)
        v->elapsed_s = (c->header[DPROFPP_RUN_REAL] - overhead_ticks) / c->ticks_per_s;
    if (c->has_run && c->options->root == NULL)
        v->total_ticks = fmax(clock_sum(c, DPROFPP_RUN_USER) - overhead_ticks - c->left_out_ticks, 0);
}

static void set_totals(const dprofpp_calls *c, dprofpp_view *view)
{
    view->measure = c->measure;
    view->memory = &c->memory;
    view->processes = c->tree->processes;
    if (nytp_measure_is_time(&view->measure))
        view->measure.ticks_per_base = c->ticks_per_s > 0 ? c->ticks_per_s : 1;
    view->total_ticks = c->times.incl_ticks;
    view->whole_ticks = c->options->root != NULL
                            ? c->times.incl_ticks
                            : fmax(nytp_calltree_whole_ticks(c->tree), c->times.incl_ticks);
    view->elapsed_s = c->elapsed_s > 0 ? c->elapsed_s : NAN;
    view->clock = "Time in Subs";
    if (c->some_dprof && !c->some_other)
        set_dprof_times(c, view);
}

typedef struct json {
    FILE *out;
    uint32_t open; /* how many objects are not closed, with the previous sibling of the next one */
} json;

/* Closes the objects at depth and deeper. */
static void close_to(json *j, uint32_t depth)
{
    for (; j->open > depth; j->open--)
        fputs("]}", j->out);
}

static void write_object(void *context, const dprofpp_view *v, const dprofpp_branch *b)
{
    json *j = context;
    const nytp_node *node = &v->tree->nodes[b->node];
    bool sibling = j->open > b->depth;
    close_to(j, b->depth);
    fputs(sibling ? ",\n" : "\n", j->out);
    fputs("{\"name\": ", j->out);
    nytp_json_string(j->out, nytp_names_get(v->names, node->sub));
    fprintf(j->out, ", \"%s\": %llu, \"inclusive_ticks\": %.17g, \"exclusive_ticks\": %.17g",
            nytp_measure_count(&v->measure), (unsigned long long)node->calls, node->incl_ticks,
            node->excl_ticks);
    for (unsigned i = 0; i < v->options->columns.count; i++) {
        const unsigned column = v->options->columns.of[i];
        const double ticks = dprofpp_part_ticks(v, node->excl_ticks, node->waited, column);
        if (ticks >= 0)
            fprintf(j->out, ", \"%s_ticks\": %.17g", dprofpp_column_names[column], ticks);
    }
    fputs(", \"children\": [", j->out);
    j->open++;
}

/* The text is written during the walk, because it may be too large for memory. */
static void write_json(const dprofpp_view *view, FILE *out)
{
    json j = {out, 0};
    if (nytp_measure_is_bytes(&view->measure))
        fprintf(out, "{\"unit\": \"bytes\", \"memory_of\": \"%s\"", view->memory->of);
    else
        fprintf(out, "{\"ticks_per_second\": %.17g", view->measure.ticks_per_base);
    fprintf(out, ", \"total_ticks\": %.17g, \"tree\": [", view->whole_ticks);
    dprofpp_branches_visit(view, write_object, &j);
    close_to(&j, 0);
    fputs("]}\n", out);
}

static void write_table(const dprofpp_calls *c, const dprofpp_view *v, FILE *out)
{
    dprofpp_view with_columns = *v;
    g_autoptr(GArray) distributions =
        c->durations != NULL ? dprofpp_columns_of_shown(c->tree, c->durations) : NULL;
    with_columns.distributions = distributions;
    g_autoptr(GArray) waits = c->waits != NULL ? dprofpp_columns_waits_of_shown(c->tree, c->waits) : NULL;
    with_columns.sub_waits = waits;
    g_autoptr(GArray) kept = c->sums != NULL ? dprofpp_columns_kept_of_shown(c->tree, c->raw, c->sums) : NULL;
    with_columns.kept = kept;
    dprofpp_table_write(&with_columns, &c->times, out);
}

static void write_stacks(const dprofpp_calls *c, const dprofpp_view *v, FILE *out)
{
    switch (c->options->form) {
    case DPROFPP_JSON: write_json(v, out); break;
    case DPROFPP_TABLE: write_table(c, v, out); break;
    default: dprofpp_merged_write(v, out); break;
    }
}

static bool shape_and_write(dprofpp_calls *c, dprofpp_view *v, FILE *out, char **why)
{
    const dprofpp_options *o = c->options;
    uint32_t root = UINT32_MAX, callee = UINT32_MAX;
    if (o->root != NULL && (root = nytp_names_find_sub(v->names, o->root, why)) == UINT32_MAX)
        return false;
    if (o->callers != NULL && (callee = nytp_names_find_sub(v->names, o->callers, why)) == UINT32_MAX)
        return false;
    if (c->order != NULL) {
        int rc = write_order(c->order, v, root, out);
        if (rc != 0)
            *why = g_strdup_printf(NYTP_UNNAMED_FILE_FAILED, g_strerror(rc));
        return rc == 0;
    }
    v->tree = nytp_calltree_stacks(c->tree);
    if (nytp_measure_is_sampled(&c->measure))
        nytp_stacktree_sum_calls(v->tree);
    if (root != UINT32_MAX)
        nytp_stacktree_root_at(v->tree, root);
    if (c->labels != NULL)
        show_labels(c, v);
    else if (o->form == DPROFPP_TABLE)
        dprofpp_subtimes_add_stacks(&c->times, v->tree, nytp_names_count(v->names),
                                    nytp_measure_is_sampled(&c->measure));
    else
        c->times.incl_ticks += v->tree->nodes[0].incl_ticks;
    set_totals(c, v);
    if (callee != UINT32_MAX)
        nytp_stacktree_turn(v->tree, callee, o->max_depth > 0 ? o->max_depth : UINT32_MAX,
                            nytp_measure_is_sampled(&c->measure));
    write_stacks(c, v, out);
    return true;
}

bool dprofpp_write(dprofpp_calls *c, FILE *out, char **why)
{
    const nytp_names *names = nytp_calltree_names(c->tree);
    dprofpp_view view = {.options = c->options,
                         .names = names,
                         .hidden = hidden_names(c, names),
                         .times = c->processes,
                         .waits = c->waits};
    bool done = shape_and_write(c, &view, out, why);
    g_free((bool *)view.hidden);
    return done;
}
