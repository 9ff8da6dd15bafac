#include "report.h"

#include "text.h"

#include "base/order.h"
#include "model/subs.h"
#include "model/eval_name.h"
#include "nytprof-model.h"
#include "model/hashes.h"
#include "model/waits.h"
#include "base/collector.h"
#include "base/ticks.h"
#include "model/grow.h"

#include <string.h>

int64_t html_report_file_number(const html_report *report, uint32_t fid)
{
    const nytp_file *f = nytp_profile_merged_file(report->profile, fid);
    return f != NULL ? report->file_numbers[f->number] : -1;
}

static char *shown_file_name(const nytp_file *f)
{
    char *name = nytp_name_clean(f->name);
    if (*name != '\0')
        return name;
    g_free(name);
    return g_strdup_printf("(file %u, which the profile does not name)", f->fid);
}

static void add_file(html_report *r, const nytp_file *f)
{
    html_file file = {.of = f, .name = shown_file_name(f), .parent = -1};
    file.origin = nytp_origin_of(r->origins, f->name);
    r->file_numbers[f->number] = r->files->len;
    g_array_append_val(r->files, file);
    if (f->eval_fid != 0)
        r->evals++;
}

/* An eval is its file's, and so on outwards. Parents may come later than their evals, or not at all. Evals
 * that contain one another, in a damaged profile, are the program's own. */
static void find_origin(const html_report *r, html_file *file)
{
    const html_file *outer = file;
    for (guint steps = 0; outer->parent >= 0 && !outer->is_placed && steps < r->files->len; steps++)
        outer = html_report_file(r, (size_t)outer->parent);
    enum nytp_origin origin = outer->parent < 0 || outer->is_placed ? outer->origin : NYTP_OWN;
    for (html_file *f = file; f != NULL && !f->is_placed;
         f = f->parent >= 0 ? html_report_file(r, (size_t)f->parent) : NULL) {
        f->origin = origin;
        f->is_placed = true;
    }
}

static void add_lines(const html_report *r, html_file *file)
{
    nytp_line line;
    for (uint64_t from = 0; nytp_profile_next_line(r->profile, file->of->fid, &from, &line);) {
        file->statements += line.count;
        file->ticks = nytp_add_ticks(file->ticks, line.ticks);
    }
}

static void add_files(html_report *r)
{
    size_t count = nytp_profile_file_count(r->profile);
    r->file_numbers = g_new(int64_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        const nytp_file *f = nytp_profile_file(r->profile, i);
        r->file_numbers[i] = -1;
        g_hash_table_insert(r->file_names, g_bytes_new(f->name.bytes, f->name.length),
                            (gpointer)(uintptr_t)f);
        if (f->merged_into == 0)
            add_file(r, f);
    }
    for (size_t i = 0; i < count; i++) {
        const nytp_file *f = nytp_profile_file(r->profile, i);
        int64_t number = f->merged_into != 0 ? html_report_file_number(r, f->fid) : -1;
        if (number >= 0)
            html_report_file(r, (size_t)number)->merged++;
        r->evals += f->merged_into != 0;
    }
    for (guint i = 0; i < r->files->len; i++) {
        html_file *file = html_report_file(r, i);
        if (file->of->eval_fid != 0)
            file->parent = html_report_file_number(r, file->of->eval_fid);
        if (file->parent == (int64_t)i)
            file->parent = -1;
        add_lines(r, file);
    }
    NYTP_EACH(html_file, one, r->files)
        find_origin(r, one);
}

static uint32_t append_sub(html_report *r, const nytp_sub *sub)
{
    html_sub s = {.name = nytp_name_clean(sub->name),
                  .kind = sub->kind,
                  .file = -1,
                  .range_count = (uint32_t)sub->range_count};
    s.waits = nytp_waits_by_name((nytp_str){s.name, strlen(s.name), true});
    const nytp_range *range = nytp_sub_main_range(sub);
    if (range != NULL) {
        s.file = html_report_file_number(r, range->fid);
        s.first_line = range->first_line;
        s.last_line = range->last_line;
    }
    uint32_t number = r->subs->len;
    g_hash_table_insert(r->sub_numbers, g_bytes_new(sub->name.bytes, sub->name.length),
                        GUINT_TO_POINTER(number + 1));
    g_array_append_val(r->subs, s);
    return number;
}

static void add_subs(html_report *r)
{
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(r->profile, i, &sub); i++)
        append_sub(r, &sub);
}

/* Returns the file with the name that an eval of that name has now, or NULL. The report has no number of an
 * eval that is the only one of its place. */
static const nytp_file *file_named(const html_report *r, nytp_str name)
{
    GBytes *key = g_bytes_new(name.bytes, name.length);
    const nytp_file *f = g_hash_table_lookup(r->file_names, key);
    g_bytes_unref(key);
    if (f != NULL)
        return f->merged_into != 0 ? nytp_profile_merged_file(r->profile, f->fid) : f;
    size_t length;
    char *unnumbered = nytp_eval_name_merge(name, &length);
    key = g_bytes_new_take(unnumbered, length);
    f = g_hash_table_lookup(r->file_names, key);
    g_bytes_unref(key);
    return f;
}

/* The name of a sub in an eval, "main::__ANON__[(eval 9)[t.pl:2]:1]", with the name that the eval has now.
 * NULL: no change. g_free() it. */
static char *merged_name(const html_report *r, nytp_str name, size_t *length)
{
    const char *open = memchr(name.bytes, '[', name.length);
    const char *colon = open != NULL ? memrchr(open, ':', (size_t)(name.bytes + name.length - open)) : NULL;
    if (colon == NULL)
        return NULL;
    const nytp_file *f = file_named(r, (nytp_str){open + 1, (size_t)(colon - open - 1), name.utf8});
    if (f == NULL)
        return NULL;
    GString *made = g_string_new_len(name.bytes, open + 1 - name.bytes);
    g_string_append_len(made, f->name.bytes, (gssize)f->name.length);
    g_string_append_len(made, colon, name.bytes + name.length - colon);
    *length = made->len;
    return g_string_free(made, FALSE);
}

/* Numbers of evals in names of files are 0 in those of eval frames. */
static const nytp_file *file_of_frame(const html_report *r, nytp_str name)
{
    const nytp_file *f = file_named(r, name);
    for (size_t i = 0; f == NULL && i < nytp_profile_file_count(r->profile); i++) {
        const nytp_file *one = nytp_profile_file(r->profile, i);
        size_t length;
        g_autofree char *merged = one->eval_fid != 0 ? nytp_eval_name_merge(one->name, &length) : NULL;
        if (merged != NULL && nytp_str_same((nytp_str){merged, length, false}, name))
            f = one;
    }
    return f;
}

/* A string eval in stacks, by its name, leads to the statement that runs it. */
static uint32_t append_eval(html_report *r, nytp_str name)
{
    const uint32_t number = append_sub(r, &(nytp_sub){.name = name});
    const nytp_place_name place = nytp_eval_frame_place(name);
    const nytp_file *file = file_of_frame(r, place.file);
    html_sub *s = html_report_sub(r, number);
    s->is_eval = true;
    s->file = file != NULL ? html_report_file_number(r, file->fid) : -1;
    s->first_line = s->last_line = place.line;
    return number;
}

/* Returns the number of a sub + 1, or 0. */
static uint32_t known_number(const html_report *r, nytp_str name)
{
    g_autoptr(GBytes) key = g_bytes_new(name.bytes, name.length);
    return GPOINTER_TO_UINT(g_hash_table_lookup(r->sub_numbers, key));
}

uint32_t html_report_number_of(html_report *report, nytp_str name)
{
    const uint32_t number = known_number(report, name);
    if (number > 0)
        return number - 1;
    return nytp_is_eval_frame(name) ? append_eval(report, name)
                                    : append_sub(report, &(nytp_sub){.name = name});
}

int64_t html_report_find_sub(const html_report *report, nytp_str name)
{
    g_autofree char *made = name.length > 0 ? merged_name(report, name, &name.length) : NULL;
    if (made != NULL)
        name.bytes = made;
    return (int64_t)known_number(report, name) - 1;
}

int64_t html_report_find_file(const html_report *report, nytp_str name)
{
    const nytp_file *f = name.length > 0 ? file_named(report, name) : NULL;
    return f != NULL ? html_report_file_number(report, f->fid) : -1;
}

/* html_number_fn: the sub with that name, a new one if the profile has it in its calls only. */
static uint32_t number_of(void *context, nytp_str name)
{
    html_report *r = context;
    const bool has_file = name.length > 0 && !nytp_is_eval_frame(name);
    g_autofree char *made = has_file ? merged_name(r, name, &name.length) : NULL;
    if (made != NULL)
        name.bytes = made;
    return html_report_number_of(r, name);
}

static gint compare_arcs(gconstpointer x, gconstpointer y)
{
    const html_arc *a = x, *b = y;
    return nytp_order4(NYTP_ORDER(a->of.callee, b->of.callee), NYTP_ORDER(a->of.caller, b->of.caller),
                       NYTP_ORDER(a->file, b->file), NYTP_ORDER(a->of.line, b->of.line));
}

static void append_arc(html_report *r, const nytp_arc *a, int64_t file)
{
    html_arc arc = {*a, file};
    if (nytp_measure_is_bytes(&r->measure))
        arc.of.count = nytp_arc_outermost_blocks(a);
    g_array_append_val(r->arcs, arc);
}

static void add_arcs(html_report *r)
{
    const nytp_arc *arc;
    for (size_t i = 0; (arc = nytp_profile_arc(r->profile, i)) != NULL; i++)
        append_arc(r, arc, html_report_file_number(r, arc->fid));
    g_array_sort(r->arcs, compare_arcs);
}

static void sum_waits(html_report *r)
{
    NYTP_EACH(const html_stack, s, r->stacks)
        html_report_sub(r, s->sub)->asleep_ticks += s->waited.asleep_ticks;
}

static void sum_arcs(html_report *r)
{
    NYTP_EACH(const html_arc, arc, r->arcs) {
        const nytp_arc *a = &arc->of;
        html_sub *s = html_report_sub(r, a->callee);
        s->calls += a->count;
        s->incl_ticks = nytp_add_ticks(s->incl_ticks, a->incl_ticks);
        s->excl_ticks = nytp_add_ticks(s->excl_ticks, a->excl_ticks);
        s->reci_ticks = nytp_add_ticks(s->reci_ticks, a->reci_ticks);
        s->arcs++;
        r->calls += a->count;
    }
}

int html_report_sub_origin(const html_report *report, size_t number)
{
    const html_sub *s = html_report_sub(report, number);
    const bool waits = nytp_profile_measures_waits(report->profile)
                           ? s->kind != NYTP_SUB_PERL && 2 * s->asleep_ticks > MAX((double)s->excl_ticks, 1)
                           : s->waits;
    if (waits && nytp_measure_is_time(&report->measure))
        return HTML_WAITING;
    if (s->kind != NYTP_SUB_PERL)
        return HTML_NATIVE;
    return s->file >= 0 ? (int)html_report_file(report, (size_t)s->file)->origin : HTML_UNKNOWN;
}

uint64_t html_report_count(const html_report *report, uint64_t count, double ticks)
{
    const nytp_totals totals = {.statements = report->statements, .statement_ticks = report->ticks};
    return nytp_measure_counts_samples(&report->measure) ? nytp_samples_of(ticks, &totals) : count;
}

char *html_report_setting(const html_report *report, nytp_tag tag, const char *key)
{
    const nytp_setting *s = nytp_profile_setting_by_key(report->profile, tag, key);
    return s != NULL ? nytp_name_clean(s->value) : NULL;
}

char *html_report_collector(const html_report *report)
{
    const nytp_setting *s;
    nytp_collector collector = {0};
    for (size_t i = 0; (s = nytp_profile_setting(report->profile, i)) != NULL; i++)
        if (s->tag == NYTP_ATTRIBUTE)
            nytp_collector_add(&collector, s->key, s->value);
    return collector.text[0] != '\0' ? html_text_clean(collector.text) : NULL;
}

static void forget_slices(html_report *r)
{
    if (r->slices == NULL)
        return;
    g_array_unref(r->slices->stacks);
    g_array_unref(r->slices->lines);
    g_array_unref(r->slices->memory);
    g_clear_pointer(&r->slices, g_free);
}

void html_report_forget_stacks(html_report *report)
{
    g_array_set_size(report->stacks, 0);
    g_clear_pointer(&report->request_trees, nytp_span_trees_free);
    forget_slices(report);
}

void html_report_problem(html_report *report, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    g_ptr_array_add(report->problems, html_text_clean(text));
}

static void find_totals(html_report *r)
{
    const nytp_totals totals = nytp_profile_totals(r->profile);
    r->statements = totals.statements;
    r->ticks = totals.whole_ticks;
}

html_report *html_report_new(nytp_profile *profile, nytp_calltree *tree, html_source *source,
                             nytp_longest_calls *longest, nytp_findings *findings,
                             html_by_process *by_process)
{
    html_report *r = g_new0(html_report, 1);
    r->profile = profile;
    r->source = source;
    r->findings = findings;
    r->measure = nytp_profile_measure(profile);
    r->files = NYTP_ZEROED_ARRAY(html_file);
    r->subs = NYTP_ZEROED_ARRAY(html_sub);
    r->arcs = NYTP_ZEROED_ARRAY(html_arc);
    r->problems = g_ptr_array_new_with_free_func(g_free);
    r->sub_numbers =
        g_hash_table_new_full(nytp_hash_of_bytes, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    r->file_names =
        g_hash_table_new_full(nytp_hash_of_bytes, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    r->is_tmon = nytp_profile_attribute(profile, "dprof_hz").length > 0;
    r->origins = nytp_origins_new(profile);
    add_files(r);
    add_subs(r);
    r->longest = longest;
    r->call_subs = html_stacks_numbers(tree, number_of, r);
    r->call_scale =
        nytp_measure_is_time(&r->measure) ? r->measure.ticks_per_base / nytp_calltree_ticks_per_sec(tree) : 1;
    r->by_process = by_process;
    r->stacks = html_stacks_new(tree, r->call_subs, r->call_scale, by_process);
    nytp_calltree_free(tree);
    add_arcs(r);
    sum_arcs(r);
    sum_waits(r);
    find_totals(r);
    return r;
}

void html_report_free(html_report *report)
{
    if (report == NULL)
        return;
    NYTP_EACH(const html_file, file, report->files)
        g_free(file->name);
    NYTP_EACH(const html_sub, sub, report->subs)
        g_free(sub->name);
    g_array_free(report->files, TRUE);
    g_array_free(report->subs, TRUE);
    g_array_free(report->arcs, TRUE);
    g_array_free(report->stacks, TRUE);
    g_clear_pointer(&report->line_rows, g_array_unref);
    forget_slices(report);
    html_by_process_free(report->by_process);
    nytp_process_times_free(report->process_times);
    nytp_kinds_free(report->kinds);
    nytp_memory_history_free(report->history);
    g_clear_pointer(&report->kind_sums, g_array_unref);
    g_hash_table_destroy(report->sub_numbers);
    g_hash_table_destroy(report->file_names);
    g_ptr_array_free(report->problems, TRUE);
    nytp_origins_free(report->origins);
    g_free(report->file_numbers);
    g_free(report->call_subs);
    nytp_longest_calls_free(report->longest);
    html_source_free(report->source);
    nytp_findings_free(report->findings);
    nytp_sub_durations_clear(&report->durations);
    html_labels_free(report->labels);
    nytp_span_sample_free(report->requests);
    nytp_span_trees_free(report->request_trees);
    nytp_span_lines_free(report->request_lines);
    nytp_profile_free(report->profile);
    g_free(report);
}
