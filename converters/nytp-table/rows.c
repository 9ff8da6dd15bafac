#include "table.h"

#include "base/order.h"
#include "calls/calltree.h"
#include "cli/head.h"
#include "model/grow.h"
#include "model/subs.h"
#include "model/waits.h"

#include <math.h>

table_view table_view_of(const table_options *o, const nytp_summary *s)
{
    return (table_view){.options = o,
                        .summary = s,
                        .measure = nytp_profile_measure(s->profile),
                        .totals = nytp_profile_totals(s->profile),
                        .has_parts = nytp_profile_waits(s->profile),
                        .is_measured = nytp_profile_measures_waits(s->profile),
                        .base_ticks = nytp_head_base_ticks(s->profile, o->wait),
                        .by = o->by,
                        .is_page = o->form == NYTP_MARKDOWN};
}

static gint by_ticks(gconstpointer a, gconstpointer b, gpointer view)
{
    const table_row *x = a, *y = b;
    return nytp_order3(NYTP_ORDER(table_part_ticks(view, &y->own), table_part_ticks(view, &x->own)),
                       NYTP_ORDER(x->number, y->number), NYTP_ORDER(x->line, y->line));
}

double table_part_ticks(const table_view *v, const table_part *part)
{
    return v->options->wait ? part->ticks : nytp_spent_of(part->ticks, part->waited).work_ticks;
}

static void add(GArray *rows, table_row row)
{
    if (row.own.ticks > 0)
        g_array_append_val(rows, row);
}

/* How much of their inclusive times subs waited. */
typedef struct waiting {
    const nytp_summary *summary;
    double scale;
    nytp_waited *waited; /* by sub */
    nytp_path path;      /* of subs */
} waiting;

static bool add_waited(void *context, const nytp_call *call)
{
    waiting *w = context;
    const nytp_waited waited = nytp_waited_scaled(nytp_call_waited_of(call), w->scale);
    nytp_path_enter(&w->path, call->depth, w->summary->sub_of[call->sub]);
    if (nytp_waited_ticks(waited) > 0)
        NYTP_EACH(const uint32_t, sub, w->path.of)
            if (*sub != UINT32_MAX)
                nytp_waited_add(&w->waited[*sub], waited);
    return true;
}

/* Returns it by sub, for the caller to g_free(). */
static nytp_waited *waited_by_sub(const table_view *v)
{
    const nytp_summary *s = v->summary;
    const size_t count = nytp_profile_sub_count(s->profile);
    waiting w = {s, v->measure.ticks_per_base / nytp_calltree_ticks_per_sec(s->stacks),
                 g_new0(nytp_waited, count + 1), nytp_path_new(count)};
    if (v->has_parts)
        nytp_calltree_walk_subs(s->stacks, add_waited, &w);
    nytp_path_clear(&w.path);
    return w.waited;
}

/* Sums are of memory, by sub or by line. Returns what was added up. */
static nytp_kind_sum set_error(const table_view *v, const GArray *sums, uint32_t owner, table_row *row)
{
    const nytp_kind_sum all = nytp_kind_sums_of(sums, owner, row->line);
    row->samples = all.samples;
    row->error = nytp_kinds_error(all.variance, nytp_kinds_whole_variance(v->summary->kinds));
    return all;
}

/* Code outside of subs is a row of memory. */
static void set_outside(const table_view *v, const nytp_kind_sum *own, table_row *row)
{
    nytp_sub sub;
    if (!nytp_measure_is_bytes(&v->measure) || !nytp_profile_sub(v->summary->profile, row->number, &sub) ||
        !nytp_sub_is_root(&sub))
        return;
    row->own.ticks = own->bytes;
    row->incl.ticks = v->base_ticks;
    row->count = (double)v->totals.statements;
}

static GArray *subs_of(const table_view *v)
{
    const nytp_summary *s = v->summary;
    const size_t count = nytp_profile_sub_count(s->profile);
    g_autofree nytp_arc *sums = nytp_sums_by_callee(s->profile);
    g_autofree nytp_waited *waited = waited_by_sub(v);
    GArray *rows = NYTP_ARRAY(table_row);
    for (uint32_t i = 0; i < count; i++) {
        const nytp_sub_wait own = g_array_index(s->sub_waits, nytp_sub_wait, i);
        const nytp_waited own_waited = {own.asleep_s, own.queued_s};
        table_row r = {
            .own = {(double)sums[i].excl_ticks, nytp_waited_scaled(own_waited, v->measure.ticks_per_base)},
            .incl = {(double)sums[i].incl_ticks, waited[i]},
            .count = (double)sums[i].count,
            .kept = sums[i].lacks_kept ? NAN : (double)sums[i].own_kept_values,
            .durations = nytp_sub_durations_of(&s->durations, i),
            .number = i};
        if (nytp_measure_counts_samples(&v->measure))
            r.count = (double)nytp_samples_of(r.own.ticks, &v->totals);
        const nytp_kind_sum kinds = set_error(v, s->kind_sums, i, &r);
        set_outside(v, &kinds, &r);
        add(rows, r);
    }
    return rows;
}

static GArray *lines_of(const table_view *v)
{
    const nytp_profile *profile = v->summary->profile;
    GArray *rows = NYTP_ARRAY(table_row);
    const nytp_file *file;
    nytp_line line;
    nytp_records waits = nytp_profile_line_waits(profile);
    for (uint32_t i = 0; (file = nytp_profile_file(profile, i)) != NULL; i++)
        for (uint64_t from = 0; nytp_profile_next_line(profile, file->fid, &from, &line);) {
            const double ticks = (double)line.ticks;
            const table_part own = {ticks, nytp_line_waits_at(&waits, file->fid, line.line, ticks)};
            table_row r = {
                .own = own, .incl = own, .count = (double)line.count, .number = i, .line = line.line};
            set_error(v, nytp_kinds_by_line(v->summary->kinds), file->fid, &r);
            add(rows, r);
        }
    nytp_records_clear(&waits);
    return rows;
}

/* Spans are what a program names by NYTProf::Span, such as its requests. */
static GArray *labels_of(const table_view *v)
{
    const enum nytp_label_kind kind =
        v->by == TABLE_REQUESTS ? NYTP_LABEL_SPAN : NYTP_LABEL_SQL + (v->by - TABLE_QUERIES);
    const nytp_summary *s = v->summary;
    const double ticks_per_sec = nytp_by_label_ticks_per_sec(s->labels);
    const double scale = ticks_per_sec > 0 ? nytp_profile_ticks_per_sec(s->profile) / ticks_per_sec : 1;
    GArray *rows = NYTP_ARRAY(table_row);
    for (uint32_t i = 0; i < nytp_by_label_count(s->labels); i++) {
        const nytp_labelled *label = nytp_by_label_get(s->labels, i);
        const table_part all = {label->incl_ticks * scale, nytp_waited_scaled(label->waited, scale)};
        if (label->kind == kind)
            add(rows, (table_row){.own = all,
                                  .incl = all,
                                  .count = (double)(kind == NYTP_LABEL_SPAN ? label->calls : label->runs),
                                  .durations = &g_array_index(s->label_durations, nytp_distribution, i),
                                  .number = i});
    }
    return rows;
}

GArray *table_rows_new(const table_view *v)
{
    GArray *rows = v->by == TABLE_SUBS ? subs_of(v) : v->by == TABLE_LINES ? lines_of(v) : labels_of(v);
    g_array_sort_with_data(rows, by_ticks, (gpointer)v);
    return rows;
}

char *table_row_name(const table_view *v, const table_row *r)
{
    const nytp_profile *profile = v->summary->profile;
    nytp_sub sub;
    if (v->by == TABLE_SUBS)
        return nytp_profile_sub(profile, r->number, &sub) ? nytp_name_clean(sub.name) : g_strdup("");
    if (v->by == TABLE_LINES) {
        g_autofree char *name = nytp_name_clean(nytp_profile_file(profile, r->number)->name);
        return g_strdup_printf("%s:%u", name, r->line);
    }
    const nytp_str text = nytp_by_label_get(v->summary->labels, r->number)->text;
    return g_strndup(text.bytes, text.length);
}

const nytp_finding *table_row_repeated(const table_view *v, const table_row *r)
{
    const size_t count = v->by == TABLE_QUERIES ? nytp_findings_count(v->findings) : 0;
    for (size_t i = 0; i < count; i++) {
        const nytp_finding *f = nytp_findings_get(v->findings, i);
        nytp_sub sub;
        nytp_label label;
        if (f->repeated != NULL && nytp_profile_sub(v->summary->profile, f->sub, &sub) &&
            nytp_sub_label(v->summary->profile, sub.name, &label) &&
            nytp_by_label_of(v->summary->labels, &label) == r->number)
            return f;
    }
    return NULL;
}
