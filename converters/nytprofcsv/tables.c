#include "tables.h"

#include "base/labels.h"
#include "base/order.h"
#include "base/ticks.h"
#include "export/table.h"
#include "model/subs.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/measure.h"
#include "model/package.h"
#include "model/waits.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Context of all tables. */
typedef struct tables {
    const nytp_profile *profile;
    const nytp_summary *calls;
    nytp_totals totals;
    char **files; /* shown names, indexed by number */
    char **subs;
    uint32_t sub_count, *by_name; /* subs in the order of their names */
    nytp_arc *sums;               /* by sub, of its calls; only for the table of subs */
    nytp_records line_waits; /* only for the table of lines */
    csv_cells cells;
} tables;

static void put_amount(const tables *t, double amount)
{
    csv_put_amount(&t->cells, amount);
}

static void put_value(const tables *t, double value)
{
    nytp_table_value(t->cells.table, value);
}

static void put_text(const tables *t, const char *text)
{
    nytp_table_text(t->cells.table, text);
}

/* Seconds that are negative are not known. */
static void put_seconds(tables *t, double seconds)
{
    put_amount(t, seconds >= 0 ? seconds : NAN);
}

static void put_ticks(tables *t, int64_t ticks)
{
    put_amount(t, (double)ticks / t->cells.measure.ticks_per_base);
}

/* The calls that take these ticks; of a profile made of samples, its samples in them, or its blocks, which
 * the collector has counted. */
static void put_calls_in(tables *t, uint64_t calls, int64_t ticks)
{
    const bool are_samples = nytp_measure_counts_samples(&t->cells.measure);
    put_value(t, (double)(are_samples ? nytp_samples_of((double)ticks, &t->totals) : calls));
}

/* The number and the name of a file. */
static void put_file(tables *t, uint32_t fid)
{
    const nytp_file *f = nytp_profile_merged_file(t->profile, fid);
    if (f != NULL) {
        put_value(t, (double)f->fid);
        put_text(t, t->files[f->number]);
    } else {
        put_value(t, NAN);
        put_text(t, "");
    }
}

/* 0, which no line has, is left empty. */
static void put_line(tables *t, uint32_t line)
{
    put_value(t, line > 0 ? line : NAN);
}

static void put_package(tables *t, const char *name)
{
    g_autofree char *package = g_strndup(name, nytp_package_length_of(name));
    put_text(t, package);
}

static void put_arc(tables *t, const nytp_arc *arc)
{
    put_calls_in(t, arc->count, arc->incl_ticks);
    put_ticks(t, arc->incl_ticks);
    put_ticks(t, arc->excl_ticks);
    put_ticks(t, arc->reci_ticks);
    put_value(t, (double)arc->max_depth);
}

/* How many of perl's values the calls of an arc left behind. */
static void put_kept(tables *t, const nytp_arc *arc)
{
    put_value(t, arc->lacks_kept ? NAN : (double)arc->kept_values);
    put_value(t, arc->lacks_kept ? NAN : (double)arc->own_kept_values);
}

static void put_duration(tables *t, double ticks)
{
    put_seconds(t, ticks / t->calls->durations.ticks_per_sec);
}

/* The cells of a sub are empty if it was not called, or the times of its calls are not known. */
static void put_durations_of(tables *t, uint32_t sub)
{
    for (enum nytp_duration d = NYTP_P50; d < NYTP_DURATIONS; d++)
        put_duration(t, nytp_distribution_get(nytp_sub_durations_of(&t->calls->durations, sub), d));
}

/* The parts of a time. Of stock's profiles the names of subs say who was asleep, and nothing who was queued.
 */
static void put_parts(tables *t, double all_s, nytp_waited waited_s, bool is_known, bool is_measured)
{
    const nytp_spent spent = nytp_spent_of(all_s, waited_s); /* in seconds */
    put_seconds(t, is_known ? spent.work_ticks : -1);
    put_seconds(t, is_known ? spent.asleep_ticks : -1);
    put_seconds(t, is_measured ? spent.queued_ticks : -1);
}

static double excl_s(const tables *t, const nytp_arc *arc)
{
    return (double)arc->excl_ticks / t->cells.measure.ticks_per_base;
}

/* What a sub did itself in calls. */
static void put_waits_of(tables *t, nytp_sub_wait of, const nytp_arc *calls)
{
    const nytp_sub_waits *waits = t->calls->waits;
    put_parts(t, excl_s(t, calls), (nytp_waited){of.asleep_s, of.queued_s},
              nytp_sub_waits_are_known(waits) || calls->count == 0, nytp_sub_waits_are_measured(waits));
}

/* Of how many samples bytes are an estimate, and its standard error. Nothing, if that is not known. */
static void put_error(tables *t, nytp_kind_sum sum)
{
    const double error = nytp_kinds_error(sum.variance, nytp_kinds_whole_variance(t->calls->kinds));
    put_value(t, sum.samples > 0 ? sum.samples : NAN);
    put_amount(t, sum.samples > 0 ? error : NAN);
}

static gint name_order(gconstpointer x, gconstpointer y, gpointer context)
{
    const tables *t = context;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return nytp_order2(strcmp(t->subs[a], t->subs[b]), NYTP_ORDER(a, b));
}

typedef void sub_fn(tables *t, uint32_t number, const nytp_sub *sub);

/* All subs in the order of their names, also those that nothing called. */
static void each_sub(tables *t, sub_fn *put)
{
    nytp_sub sub;
    for (uint32_t i = 0; i < t->sub_count; i++)
        if (nytp_profile_sub(t->profile, t->by_name[i], &sub))
            put(t, t->by_name[i], &sub);
}

static void put_sub(tables *t, uint32_t number, const nytp_sub *sub)
{
    static const char *const kinds[] = {
        [NYTP_SUB_PERL] = "perl", [NYTP_SUB_XSUB] = "xsub", [NYTP_SUB_OPCODE] = "built-in"};
    const nytp_range *range = nytp_sub_main_range(sub);
    const nytp_arc *calls = &t->sums[number];
    put_text(t, t->subs[number]);
    put_package(t, t->subs[number]);
    put_text(t, nytp_sub_is_root(sub) ? "root" : kinds[sub->kind]);
    put_file(t, range != NULL ? range->fid : 0);
    put_line(t, range != NULL ? range->first_line : 0);
    put_line(t, range != NULL ? range->last_line : 0);
    put_arc(t, calls);
    if (!nytp_measure_is_bytes(&t->cells.measure)) {
        put_durations_of(t, number);
        put_waits_of(t, g_array_index(t->calls->sub_waits, nytp_sub_wait, number), calls);
        put_kept(t, calls);
    } else {
        const nytp_kind_sum own = nytp_kind_sums_of(t->calls->kind_sums, number, 0);
        put_error(t, nytp_sub_is_root(sub) ? (nytp_kind_sum){0} : own);
    }
}

static void put_durations(tables *t, uint32_t number, const nytp_sub *sub)
{
    const nytp_distribution *durations = nytp_sub_durations_of(&t->calls->durations, number);
    nytp_duration_range range;
    (void)sub;
    for (uint64_t at = 0; nytp_distribution_next(durations, &at, &range);) {
        put_text(t, t->subs[number]);
        put_duration(t, range.from_ticks);
        put_duration(t, range.to_ticks);
        put_value(t, (double)range.calls);
    }
}

static void put_name(tables *t, nytp_str name)
{
    char *clean = nytp_name_clean(name);
    put_text(t, clean);
    free(clean);
}

/* What all subs with the label have together. */
static void put_label_sums(tables *t, const nytp_label *label)
{
    const nytp_labelled *sum = nytp_by_label_get(t->calls->labels, nytp_by_label_of(t->calls->labels, label));
    const double rate =
        nytp_measure_is_time(&t->cells.measure) ? nytp_by_label_ticks_per_sec(t->calls->labels) : 1;
    put_value(t, (double)sum->calls);
    put_amount(t, rate > 0 ? sum->incl_ticks / rate : 0);
    put_amount(t, rate > 0 ? sum->excl_ticks / rate : 0);
    put_value(t, (double)sum->runs);
}

static void put_label(tables *t, uint32_t number, const nytp_sub *sub)
{
    nytp_label label;
    if (!nytp_sub_label(t->profile, sub->name, &label))
        return;
    put_text(t, nytp_label_kinds[label.kind]);
    put_name(t, label.text);
    put_name(t, label.base);
    put_text(t, t->subs[number]);
    put_name(t, nytp_label_whole_text(t->profile, label.text));
    put_label_sums(t, &label);
}

static gint by_callee(gconstpointer x, gconstpointer y, gpointer context)
{
    const tables *t = context;
    const nytp_arc *a = x, *b = y;
    int order = a->callee != b->callee ? strcmp(t->subs[a->callee], t->subs[b->callee]) : 0;
    if (order == 0 && a->caller != b->caller)
        order = strcmp(t->subs[a->caller], t->subs[b->caller]);
    return nytp_order3(order, NYTP_ORDER(a->fid, b->fid), NYTP_ORDER(a->line, b->line));
}

static void put_calls(tables *t)
{
    g_autoptr(GArray) arcs = NYTP_ARRAY(nytp_arc);
    const nytp_arc *next;
    for (size_t i = 0; (next = nytp_profile_arc(t->profile, i)) != NULL; i++)
        g_array_append_vals(arcs, next, 1);
    g_array_sort_with_data(arcs, by_callee, t);
    NYTP_EACH(const nytp_arc, arc, arcs) {
        put_text(t, t->subs[arc->callee]);
        put_text(t, t->subs[arc->caller]);
        put_file(t, arc->fid);
        put_line(t, arc->line);
        put_arc(t, arc);
        const nytp_own_sum own = nytp_arc_sums_of(t->calls->arc_sums, arc, excl_s(t, arc));
        if (nytp_measure_is_bytes(&t->cells.measure)) {
            put_error(t, (nytp_kind_sum){.samples = own.samples, .variance = own.variance});
        } else {
            put_waits_of(t, own.waited, arc);
            put_kept(t, arc);
        }
    }
}

static void put_processes(tables *t)
{
    const nytp_process *p;
    for (size_t i = 0; (p = nytp_profile_process(t->profile, i)) != NULL; i++) {
        const nytp_process_time time = nytp_process_times_get(t->calls->processes, i);
        put_name(t, p->application);
        put_value(t, (double)p->pid);
        put_value(t, (double)p->parent);
        put_seconds(t, p->start_s);
        put_seconds(t, p->ended ? p->end_s : -1);
        put_seconds(t, time.whole_s);
        put_seconds(t, nytp_process_work_s(time));
        put_seconds(t, time.asleep_s);
        put_seconds(t, p->cpu_s);
        put_seconds(t, p->wait_s);
        put_text(t, nytp_process_end(p));
        put_seconds(t, time.is_measured ? time.queued_s : -1);
        put_seconds(t, nytp_measure_is_sampled(&t->cells.measure) ? p->lost_s : -1);
    }
}

static gint by_sub_and_kind(gconstpointer x, gconstpointer y, gpointer context)
{
    const tables *t = context;
    const nytp_kind_sum *a = x, *b = y;
    const nytp_str kind = nytp_kinds_name(t->calls->kinds, a->kind),
                   other = nytp_kinds_name(t->calls->kinds, b->kind);
    return nytp_order3(strcmp(t->subs[a->owner], t->subs[b->owner]), NYTP_ORDER(a->owner, b->owner),
                       nytp_str_order(kind, other));
}

/* The cells after what it is of. */
static void put_kind(tables *t, const nytp_kind_sum *sum)
{
    put_name(t, nytp_kinds_name(t->calls->kinds, sum->kind));
    put_value(t, (double)sum->blocks);
    put_amount(t, sum->bytes);
    put_error(t, *sum);
}

static void put_kinds(tables *t)
{
    g_autoptr(GArray) sums = g_array_copy(t->calls->kind_sums);
    g_array_sort_with_data(sums, by_sub_and_kind, t);
    NYTP_EACH(const nytp_kind_sum, sum, sums) {
        put_text(t, t->subs[sum->owner]);
        put_kind(t, sum);
    }
}

static void put_kinds_of_lines(tables *t)
{
    NYTP_EACH(const nytp_kind_sum, sum, nytp_kinds_by_line(t->calls->kinds)) {
        put_file(t, sum->owner);
        put_line(t, sum->line);
        put_kind(t, sum);
    }
}

typedef void file_fn(tables *t, const nytp_file *f);

/* All files but the evals that were merged into others, in order of first sight. */
static void each_file(tables *t, file_fn *put)
{
    const nytp_file *f;
    for (size_t i = 0; (f = nytp_profile_file(t->profile, i)) != NULL; i++)
        if (f->merged_into == 0)
            put(t, f);
}

static void put_one_file(tables *t, const nytp_file *f)
{
    nytp_line line;
    uint64_t statements = 0;
    int64_t ticks = 0;
    nytp_kind_sum sum = {0};
    for (uint64_t from = 0; nytp_profile_next_line(t->profile, f->fid, &from, &line);) {
        const nytp_kind_sum of_line =
            nytp_kind_sums_of(nytp_kinds_by_line(t->calls->kinds), f->fid, line.line);
        statements += line.count;
        ticks = nytp_add_ticks(ticks, line.ticks);
        sum.samples += of_line.samples;
        sum.variance += of_line.variance;
    }
    put_file(t, f->fid);
    put_file(t, f->eval_fid);
    put_line(t, f->eval_line);
    put_value(t, (double)statements);
    put_ticks(t, ticks);
    if (nytp_measure_is_bytes(&t->cells.measure))
        put_error(t, sum);
}

static void put_lines_of(tables *t, const nytp_file *f)
{
    nytp_line line;
    for (uint64_t from = 0; nytp_profile_next_line(t->profile, f->fid, &from, &line);) {
        put_file(t, f->fid);
        put_value(t, (double)line.line);
        put_value(t, (double)line.count);
        put_ticks(t, line.ticks);
        if (!nytp_measure_is_bytes(&t->cells.measure)) {
            const nytp_waited waited =
                nytp_line_waits_at(&t->line_waits, f->fid, line.line, (double)line.ticks);
            put_parts(t, (double)line.ticks / t->cells.measure.ticks_per_base,
                      nytp_waited_scaled(waited, 1 / t->cells.measure.ticks_per_base), true,
                      nytp_profile_measures_waits(t->profile));
        } else {
            put_error(t, nytp_kind_sums_of(nytp_kinds_by_line(t->calls->kinds), f->fid, line.line));
        }
    }
}

static void take_names(tables *t)
{
    nytp_sub sub;
    t->files = g_new0(char *, nytp_profile_file_count(t->profile) + 1);
    for (size_t i = 0; i < nytp_profile_file_count(t->profile); i++)
        t->files[i] = nytp_name_clean(nytp_profile_file(t->profile, i)->name);
    t->subs = g_new0(char *, nytp_profile_sub_count(t->profile) + 1);
    for (uint32_t i = 0; nytp_profile_sub(t->profile, i, &sub); i++)
        t->subs[i] = nytp_name_clean(sub.name);
    t->sub_count = (uint32_t)nytp_profile_sub_count(t->profile);
    t->by_name = nytp_group_order(t->sub_count, name_order, t);
}

int csv_table_write(const nytp_summary *summary, csv_spans *spans, enum csv_table table, FILE *out)
{
    const nytp_profile *profile = summary->profile;
    tables t = {.profile = profile, .totals = nytp_profile_totals(profile), .calls = summary};
    const nytp_measure measure = nytp_profile_measure(profile);
    bool is_written = false;
    const int rc = table == CSV_SPANS ? csv_spans_write(spans, &is_written, out) : 0;
    if (is_written || rc != 0)
        return rc;
    csv_cells_begin(&t.cells, &measure, table, out);
    take_names(&t);
    switch (table) {
    case CSV_SUBS:
        t.sums = nytp_sums_by_callee(profile);
        each_sub(&t, put_sub);
        g_free(t.sums);
        break;
    case CSV_CALLS: put_calls(&t); break;
    case CSV_FILES: each_file(&t, put_one_file); break;
    case CSV_LABELS: each_sub(&t, put_label); break;
    case CSV_DURATIONS: each_sub(&t, put_durations); break;
    case CSV_PROCESSES: put_processes(&t); break;
    case CSV_KINDS: put_kinds(&t); break;
    case CSV_LINE_KINDS: put_kinds_of_lines(&t); break;
    case CSV_LINES:
        t.line_waits = nytp_profile_line_waits(profile);
        each_file(&t, put_lines_of);
        nytp_records_clear(&t.line_waits);
        break;
    default: break;
    }
    nytp_table_end(t.cells.table, NULL);
    g_strfreev(t.files);
    g_strfreev(t.subs);
    g_free(t.by_name);
    return 0;
}
