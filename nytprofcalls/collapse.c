#include "collapse.h"

#include "calls/calltree.h"
#include "model/grow.h"
#include "model/split.h"

#include <glib.h>
#include <inttypes.h>
#include <math.h>

struct calls_collapse {
    const calls_options *options;
    nytp_calltree *tree;
    bool reversed;      /* the tree is */
    double whole_ticks; /* that is 100 %; a reversed tree does not know it */
};

calls_collapse *calls_collapse_new(const calls_options *options)
{
    calls_collapse *c = g_new0(calls_collapse, 1);
    c->options = options;
    c->tree =
        nytp_calltree_new(options->keep_evals ? calls_frame_name : calls_frame_name_merging_evals, NULL);
    if (options->root)
        nytp_calltree_show_root(c->tree);
    if (nytp_least_is_given(options->min))
        nytp_calltree_read_whole(c->tree);
    if (nytp_unit_per_s(options->unit) > 0)
        nytp_calltree_set_ticks_per_sec(c->tree, 1e9); /* ns */
    return c;
}

void calls_collapse_free(calls_collapse *c)
{
    if (c == NULL)
        return;
    nytp_calltree_free(c->tree);
    g_free(c);
}

enum nytp_unit_word calls_collapse_unit(const calls_collapse *c)
{
    return c->options->unit;
}

nytp_calltree *calls_collapse_tree(calls_collapse *c)
{
    return c->tree;
}

void calls_collapse_totals(const calls_collapse *c, uint64_t *calls, size_t *stacks, size_t *subs)
{
    double excl_ticks;
    nytp_calltree_totals(c->tree, calls, &excl_ticks);
    nytp_calltree_size(c->tree, stacks, subs);
}

bool calls_collapse_is_empty(const calls_collapse *c)
{
    return c->tree->calls == 0 && !(c->tree->shows_root && c->tree->statement_ticks > 0);
}

typedef struct writing {
    const calls_options *options;
    FILE *out;
    calls_path path; /* of the current call */
    bool reversed;
    GArray
        *whole; /* int64_t: the values, in the order in which they are written; NULL if they have decimals */
    guint next; /* of those */
} writing;

/* Speedscope reads no number with a decimal point, and these units are for it and for flamegraph.pl. */
static bool is_rounded(const calls_options *options)
{
    return !options->count_calls && (options->unit == NYTP_UNIT_US || options->unit == NYTP_UNIT_MS);
}

void calls_write_value(const calls_options *options, double value, FILE *out)
{
    static const int decimals[] = {[NYTP_UNIT_S] = 9,   [NYTP_UNIT_MS] = 6,    [NYTP_UNIT_US] = 3,
                                   [NYTP_UNIT_NS] = 0,  [NYTP_UNIT_TICKS] = 0, [NYTP_UNIT_B] = 0,
                                   [NYTP_UNIT_KIB] = 3, [NYTP_UNIT_MIB] = 6,   [NYTP_UNIT_GIB] = 9};
    const enum nytp_unit_word unit = options->count_calls ? NYTP_UNIT_TICKS : options->unit;
    if (nytp_unit_per_s(unit) > 0)
        value /= 1e9 / nytp_unit_per_s(unit);
    else if (nytp_unit_bytes(unit) > 0)
        value /= nytp_unit_bytes(unit);
    if (is_rounded(options))
        value = round(value);
    fprintf(out, " %.*f", value == floor(value) ? 0 : decimals[unit], value + 0.0); /* -0 becomes 0 */
}

/* Ticks are truncated, as in stock's nytprofcalls; other times are rounded to the nanosecond. */
static void write_value(const writing *w, const nytp_call *call)
{
    double time = w->options->unit == NYTP_UNIT_TICKS ? trunc(call->excl_ticks) : round(call->excl_ticks);
    calls_write_value(w->options, w->options->count_calls ? (double)call->calls : time, w->out);
    putc('\n', w->out);
}

static bool write_line(void *context, const nytp_call *call)
{
    writing *w = context;
    calls_path_enter(&w->path, call->depth, call->name);
    if (w->whole != NULL) {
        const int64_t value = g_array_index(w->whole, int64_t, w->next++);
        if (value != 0)
            fprintf(w->out, "%s %" PRId64 "\n", w->path.text->str, value);
        return !ferror(w->out);
    }
    if (!w->reversed || call->calls > 0 ||
        call->excl_ticks != 0) { /* if reversed, there are nodes at which no stack ends */
        fwrite(w->path.text->str, 1, w->path.text->len, w->out);
        write_value(w, call);
    }
    return !ferror(w->out);
}

nytp_calltree *calls_collapse_shaped_tree(calls_collapse *c)
{
    if (!c->options->reverse || c->reversed)
        return c->tree;
    uint32_t max_depth = c->options->max_depth > 0 ? c->options->max_depth : UINT32_MAX;
    c->whole_ticks = nytp_calltree_whole_ticks(c->tree);
    nytp_calltree *reversed = nytp_calltree_reverse(c->tree, max_depth);
    nytp_calltree_free(c->tree);
    c->reversed = true;
    return c->tree = reversed;
}

double calls_collapse_min_ticks(const calls_collapse *c)
{
    const double whole_ticks = c->reversed ? c->whole_ticks : nytp_calltree_whole_ticks(c->tree);
    return nytp_least_ticks(c->options->min, whole_ticks, nytp_calltree_ticks_per_sec(c->tree));
}

/* Reverses and prunes the tree. Reverses first, so that pruning cuts off callers, not callees. */
static void shape(calls_collapse *c)
{
    const calls_options *o = c->options;
    uint32_t max_depth = o->max_depth > 0 ? o->max_depth : UINT32_MAX;
    nytp_calltree *tree = calls_collapse_shaped_tree(c);
    if (nytp_least_is_given(o->min) || o->max_depth > 0)
        nytp_calltree_prune(tree, calls_collapse_min_ticks(c), max_depth, "(other)");
}

static bool collect_ns(void *context, const nytp_call *call)
{
    const double ns = round(call->excl_ticks);
    const int64_t value = fabs(ns) < 0x1p63 ? (int64_t)ns : 0;
    g_array_append_val((GArray *)context, value);
    return true;
}

/* Makes whole units of nanoseconds: rounds them down, and gives the rest of the rounded sum to those with the
 * largest remainders. */
static void round_all(GArray *values, int64_t unit_ns)
{
    g_autofree uint64_t *remainders = g_new(uint64_t, values->len + 1), /* + 1: never NULL */
        *more = g_new0(uint64_t, values->len + 1);
    uint64_t rest_ns = 0;
    for (guint i = 0; i < values->len; i++) {
        int64_t *value = &g_array_index(values, int64_t, i);
        const int64_t below = *value % unit_ns;
        remainders[i] = (uint64_t)(below < 0 ? below + unit_ns : below);
        *value = (*value - (int64_t)remainders[i]) / unit_ns;
        rest_ns += remainders[i];
    }
    nytp_split_by_weight((rest_ns + (uint64_t)unit_ns / 2) / (uint64_t)unit_ns, remainders, more,
                         values->len);
    for (guint i = 0; i < values->len; i++)
        g_array_index(values, int64_t, i) += (int64_t)more[i];
}

void calls_collapse_write(calls_collapse *c, FILE *out)
{
    writing w = {.options = c->options,
                 .out = out,
                 .path = calls_path_new(c->options->kinds),
                 .reversed = c->options->reverse};
    shape(c);
    if (is_rounded(c->options)) {
        w.whole = NYTP_ARRAY(int64_t);
        nytp_calltree_walk(c->tree, collect_ns, w.whole);
        round_all(w.whole, (int64_t)(1e9 / nytp_unit_per_s(c->options->unit)));
    }
    nytp_calltree_walk(c->tree, write_line, &w);
    if (w.whole != NULL)
        g_array_free(w.whole, TRUE);
    calls_path_clear(&w.path);
}
