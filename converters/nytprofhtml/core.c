#include "core.h"

#include "arc_columns.h"
#include "overview.h"
#include "base/ticks.h"
#include "model/grow.h"
#include "model/names.h"
#include "model/package.h"
#include "model/origin.h"

#include <string.h>

static void write_setting(html_json *j, const char *key, const html_report *r, nytp_tag tag, const char *name)
{
    g_autofree char *text = html_report_setting(r, tag, name);
    html_json_text(j, key, text != NULL ? text : "");
}

static void write_about(html_json *j, const html_report *r, const html_options *o)
{
    uint64_t from, bytes;
    bool any_source = false;
    const bool is_memory = nytp_measure_is_bytes(&r->measure);
    for (guint i = 0; i < r->files->len && !any_source; i++)
        any_source = html_source_place(r->source, html_report_file(r, i)->of->fid, &from, &bytes);
    html_json_open(j, "about", '{');
    g_autofree char *title = html_overview_title(r, o);
    html_json_text(j, "title", title);
    write_setting(j, "program", r, NYTP_ATTRIBUTE, "application");
    HTML_COLUMN_OF(html_json_clean, j, "inputs", (guint)o->inputs->count, i, o->inputs->names[i]);
    html_json_text(j, "made_by", "nytprofhtml " NYTP_VERSION_STRING);
    html_json_real(j, "ticks_per_s", r->measure.ticks_per_base);
    html_json_text(j, "measure", r->measure.noun);
    html_json_text(j, "memory", is_memory ? nytp_memory_in_words(r->memory.of) : "");
    html_json_real(j, "sampled_hz", is_memory ? 0 : r->measure.samples_per_base);
    html_json_text(j, "kind", r->is_tmon ? "tmon" : "nytprof");
    HTML_COLUMN_OF(html_json_text, j, "problems", r->problems->len, i, r->problems->pdata[i]);
    html_json_text(j, "no_source",
                   o->no_source ? "The source was left out of this report (--no-source)."
                   : !any_source && o->files->none
                       ? "There is no source in the profile, and no file was read (--no-source-files)."
                       : "There is no source: the profile has none of this file, and it was not found when "
                         "the report was made, or is not Perl by its name or first line (--lib=DIR says "
                         "where to look, and --verbose why a file was not read).");
    html_json_bool(j, "levels", nytp_profile_level_count(r->profile) > 0);
    html_json_bool(j, "by_names", !nytp_profile_measures_waits(r->profile));
    html_json_clean(j, "url", o->url);
    html_json_clean(j, "trace_url", o->trace_url);
    html_json_close(j, '}');
}

static void write_totals(html_json *j, const html_report *r)
{
    html_json_open(j, "totals", '{');
    html_json_int(j, "statements", (int64_t)r->statements);
    html_json_int(j, "calls", (int64_t)r->calls);
    html_json_int(j, "ticks", r->ticks);
    html_json_int(j, "evals", (int64_t)r->evals);
    html_json_close(j, '}');
}

static void write_name(html_json *j, const char *key, nytp_str name)
{
    g_autofree char *text = nytp_name_clean(name);
    html_json_text(j, key, text);
}

static void write_settings(html_json *j, const html_report *r)
{
    const nytp_profile *p = r->profile;
    const size_t count = nytp_profile_setting_count(p);
    html_json_open(j, "settings", '{');
    HTML_COLUMN(j, "kind", count, i, nytp_profile_setting(p, i)->tag == NYTP_OPTION);
    HTML_COLUMN_OF(write_name, j, "key", count, i, nytp_profile_setting(p, i)->key);
    HTML_COLUMN_OF(write_name, j, "value", count, i, nytp_profile_setting(p, i)->value);
    html_json_close(j, '}');
}

static void write_processes(html_json *j, const html_report *r)
{
    const size_t count = nytp_profile_process_count(r->profile);
    html_json_open(j, "processes", '{');
    html_processes_columns(r, j);
    HTML_COLUMN(j, "parent", count, i, nytp_profile_process(r->profile, i)->parent);
    HTML_COLUMN(j, "ticks", count, i, html_process_ticks(r, i).whole_ticks);
    HTML_COLUMN(j, "asleep", count, i, html_process_ticks(r, i).asleep_ticks);
    HTML_COLUMN(j, "queued", count, i,
                html_process_ticks(r, i).is_measured ? html_process_ticks(r, i).queued_ticks : -1);
    HTML_COLUMN_OF(html_json_real, j, "start_s", count, i, nytp_profile_process(r->profile, i)->start_s);
    HTML_COLUMN_OF(html_json_real, j, "end_s", count, i, nytp_profile_process(r->profile, i)->end_s);
    HTML_COLUMN_OF(html_json_real, j, "cpu_s", count, i, nytp_profile_process(r->profile, i)->cpu_s);
    const bool lost_any = nytp_processes_lost_any(r->profile);
    HTML_COLUMN_OF(html_json_real, j, "lost_s", count, i,
                   lost_any ? nytp_profile_process(r->profile, i)->lost_s : -1);
    HTML_COLUMN_OF(html_json_text, j, "end", count, i, nytp_process_end(nytp_profile_process(r->profile, i)));
    html_json_close(j, '}');
}

/* How many parts of a path are the directory of @INC that the file is in; 0: it is in none. */
static int64_t directories_above(const nytp_portable *portable, const nytp_file *f)
{
    if (f->eval_fid != 0 || f->name.length == 0)
        return 0;
    g_autoptr(GString) below = nytp_portable_name(portable, f->name);
    int64_t count = 0;
    for (size_t i = 0; i + below->len < f->name.length; i++)
        count += f->name.bytes[i] == '/';
    return count;
}

static void write_files(html_json *j, const html_report *r)
{
    guint count = r->files->len;
    html_json_open(j, "files", '{');
    HTML_COLUMN_OF(html_json_text, j, "name", count, i, html_report_file(r, i)->name);
    HTML_COLUMN(j, "parent", count, i, html_report_file(r, i)->parent);
    HTML_COLUMN(j, "line", count, i, html_report_file(r, i)->of->eval_line);
    HTML_COLUMN(j, "origin", count, i, html_report_file(r, i)->origin);
    HTML_COLUMN(j, "merged", count, i, html_report_file(r, i)->merged);
    nytp_portable *portable = nytp_portable_new(r->profile);
    g_autofree int64_t *from = g_new(int64_t, count), *bytes = g_new(int64_t, count);
    for (guint i = 0; i < count; i++) {
        uint64_t at = 0, size = 0;
        bool any = html_source_place(r->source, html_report_file(r, i)->of->fid, &at, &size);
        from[i] = any ? (int64_t)at : -1;
        bytes[i] = (int64_t)size;
    }
    HTML_COLUMN(j, "below", count, i, directories_above(portable, html_report_file(r, i)->of));
    nytp_portable_free(portable);
    HTML_COLUMN(j, "from", count, i, from[i]);
    HTML_COLUMN(j, "bytes", count, i, bytes[i]);
    html_json_close(j, '}');
}

static void write_clean_name(html_json *j, const char *key, nytp_str name)
{
    g_autofree char *text = g_strndup(name.bytes, name.length);
    html_json_text(j, key, text);
}

/* Returns the length of the package in the name of a sub; 0 if it has none. The name of a string eval has a
 * path, which may have "::" in it. */
static size_t package_length(const html_sub *sub)
{
    return sub->is_eval ? 0 : nytp_package_length_of(sub->name);
}

/* Writes the names of the packages, in the order of their first subs, and sets that of each sub. */
static void write_packages(html_json *j, const html_report *r, uint32_t *package_of)
{
    nytp_names *names = nytp_names_new();
    for (guint i = 0; i < r->subs->len; i++) {
        const html_sub *s = html_report_sub(r, i);
        package_of[i] = nytp_names_intern(names, &(nytp_str){s->name, package_length(s), true}, NULL);
    }
    html_json_open(j, "packages", '{');
    HTML_COLUMN_OF(write_clean_name, j, "name", nytp_names_count(names), i, nytp_names_get(names, i));
    html_json_close(j, '}');
    nytp_names_free(names);
}

static int kind_of(const html_sub *sub)
{
    enum { EVAL = 3 };
    return sub->is_eval ? EVAL : (int)sub->kind;
}

/* Writes what the names of some subs mean. */
static void write_explained(html_json *j, const html_report *r)
{
    g_autoptr(GArray) subs = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < r->subs->len; i++) {
        char *text = html_explanation_of_sub(nytp_str_of(html_report_sub(r, i)->name));
        if (text == NULL)
            continue;
        g_array_append_val(subs, i);
        g_ptr_array_add(texts, text);
    }
    html_json_open(j, "explained", '{');
    HTML_COLUMN(j, "sub", subs->len, i, g_array_index(subs, guint, i));
    HTML_COLUMN_OF(html_json_text, j, "text", texts->len, i, texts->pdata[i]);
    html_json_close(j, '}');
}

/* Sorted names repeat their packages, so a name is what follows that of its package. */
static void write_subs(html_json *j, const html_report *r, const html_areas *areas)
{
    guint count = r->subs->len;
    g_autofree uint32_t *package_of = g_new(uint32_t, count);
    write_packages(j, r, package_of);
    html_json_open(j, "subs", '{');
    HTML_COLUMN(j, "package", count, i, package_of[i]);
    HTML_COLUMN_OF(html_json_text, j, "name", count, i,
                   html_report_sub(r, i)->name + package_length(html_report_sub(r, i)));
    HTML_COLUMN(j, "kind", count, i, kind_of(html_report_sub(r, i)));
    HTML_COLUMN(j, "origin", count, i, html_report_sub_origin(r, i));
    HTML_COLUMN(j, "area", count, i, areas->of_sub[i]);
    HTML_COLUMN(j, "file", count, i, html_report_sub(r, i)->file);
    HTML_COLUMN(j, "first", count, i, html_report_sub(r, i)->first_line);
    HTML_COLUMN(j, "lines", count, i,
                (int64_t)html_report_sub(r, i)->last_line - html_report_sub(r, i)->first_line);
    HTML_COLUMN(j, "places", count, i, html_report_sub(r, i)->range_count);
    html_json_close(j, '}');
}

static const html_arc *arc_at(const html_report *r, guint i)
{
    return &g_array_index(r->arcs, html_arc, i);
}

/* Ticks in what the callee called. Only in a damaged profile the difference is out of range. */
static int64_t inner_ticks(const html_arc *a)
{
    int64_t difference;
    return __builtin_sub_overflow(a->of.incl_ticks, a->of.excl_ticks, &difference) ? 0 : difference;
}

/* The line of each arc, less the line before it from which the same sub calls. */
static void write_arc_lines(html_json *j, const html_report *r)
{
    g_autofree uint32_t *before = g_new(uint32_t, r->subs->len);
    for (guint i = 0; i < r->subs->len; i++)
        before[i] = html_report_sub(r, i)->first_line;
    html_json_open(j, "line", '[');
    NYTP_EACH(const html_arc, a, r->arcs) {
        html_json_int(j, NULL, (int64_t)a->of.line - before[a->of.caller]); /* NOLINT: never empty */
        before[a->of.caller] = a->of.line;
    }
    html_json_close(j, ']');
}

/* Whether all calls say how many values they kept. */
static bool is_kept_known(const html_report *r)
{
    NYTP_EACH(const html_arc, a, r->arcs)
        if (a->of.lacks_kept)
            return false;
    return true;
}

/* Numbers as differences from others that are close to them deflate to two thirds. */
static void write_arcs(html_json *j, const html_report *r)
{
    const guint count = r->arcs->len;
    const bool knows_kept = is_kept_known(r);
    html_json_open(j, "arcs", '{');
    HTML_COLUMN(j, "callee", count, i,
                (int64_t)arc_at(r, i)->of.callee - (i > 0 ? arc_at(r, i - 1)->of.callee : 0));
    HTML_COLUMN(j, "caller", count, i,
                (int64_t)arc_at(r, i)->of.caller - (i > 0 ? arc_at(r, i - 1)->of.caller : 0));
    HTML_COLUMN(j, "file", count, i, arc_at(r, i)->file - html_report_sub(r, arc_at(r, i)->of.caller)->file);
    write_arc_lines(j, r);
#define WRITE_COLUMN(name, of_several, value)                                                                \
    html_json_open(j, #name, '[');                                                                           \
    for (guint i = 0; i < count; i++) {                                                                      \
        const html_arc *a = arc_at(r, i);                                                                    \
        html_json_int(j, NULL, value);                                                                       \
    }                                                                                                        \
    html_json_close(j, ']');
    HTML_ARC_COLUMNS(WRITE_COLUMN)
#undef WRITE_COLUMN
    html_json_close(j, '}');
}

/* ---- of memory: what it is for ---- */

/* Returns the standard error of the bytes; 0: none is known, -1: they are an estimate of few samples. */
static int64_t error_of(const nytp_kind_sum *sum, double whole_variance)
{
    const double error = nytp_kinds_error(sum->variance, whole_variance);
    return nytp_kinds_are_few(sum->samples, error, sum->bytes) ? -1 : nytp_whole_ticks(rint(error));
}

static void write_kind_sums(const html_report *r, const GArray *sums, html_json *j)
{
    const double whole = nytp_kinds_whole_variance(r->kinds);
    HTML_COLUMN(j, "kind", sums->len, i, g_array_index(sums, nytp_kind_sum, i).kind);
    HTML_COLUMN(j, "ticks", sums->len, i, nytp_whole_ticks(g_array_index(sums, nytp_kind_sum, i).bytes));
    HTML_COLUMN(j, "blocks", sums->len, i, (int64_t)g_array_index(sums, nytp_kind_sum, i).blocks);
    HTML_COLUMN(j, "error", sums->len, i, error_of(&g_array_index(sums, nytp_kind_sum, i), whole));
}

static void write_about_kind(html_json *j, const char *key, nytp_str name)
{
    g_autofree char *text = html_explanation_of_kind(name);
    html_json_clean(j, key, text);
}

static void write_kinds_of_subs(const html_report *r, html_json *j)
{
    const GArray *sums = r->kind_sums;
    const uint32_t kinds = nytp_kinds_count(r->kinds);
    html_json_open(j, "kinds", '{');
    HTML_COLUMN_OF(write_name, j, "name", kinds, i, nytp_kinds_name(r->kinds, i));
    HTML_COLUMN_OF(write_about_kind, j, "about", kinds, i, nytp_kinds_name(r->kinds, i));
    HTML_COLUMN(j, "sub", sums->len, i, g_array_index(sums, nytp_kind_sum, i).owner);
    write_kind_sums(r, sums, j);
    html_json_close(j, '}');
}

static void write_kinds_of_files(const html_report *r, html_json *j)
{
    const GArray *sums = nytp_kinds_by_file(r->kinds);
    html_json_open(j, "file_kinds", '{');
    HTML_COLUMN(j, "file", sums->len, i,
                html_report_file_number(r, g_array_index(sums, nytp_kind_sum, i).owner));
    write_kind_sums(r, sums, j);
    html_json_close(j, '}');
}

/* Types without values are left out. */
static void write_values(const html_report *r, html_json *j)
{
    const double *counts = r->memory.values;
    int types[NYTP_VALUES_OF_bytes], count = 0;
    for (int type = 0; type < NYTP_VALUES_OF_bytes; type++)
        if (counts[type] > 0)
            types[count++] = type;
    html_json_open(j, "values", '{');
    HTML_COLUMN_OF(html_json_text, j, "type", (size_t)count, i, nytp_value_types[types[i]]);
    HTML_COLUMN(j, "count", (size_t)count, i, nytp_whole_ticks(counts[types[i]]));
    html_json_close(j, '}');
}

void html_core_add(const html_report *report, const html_areas *areas, const html_options *options,
                   html_pack *pack)
{
    g_autofree html_json *j = html_json_new(pack);
    html_json_int(j, "format", 1);
    write_about(j, report, options);
    html_words_write(&report->measure, j);
    write_totals(j, report);
    write_settings(j, report);
    write_processes(j, report);
    write_files(j, report);
    HTML_COLUMN_OF(html_json_text, j, "namespaces", HTML_NAMED_AREAS, i,
                   areas->names[i] != NULL ? areas->names[i] : "");
    write_subs(j, report, areas);
    write_explained(j, report);
    write_arcs(j, report);
    html_lines_write(report, j);
    if (options->coverage != NULL)
        html_coverage_write(report, options->coverage, j);
    html_stacks_write(report, &HTML_CALLS_AS_THEY_ARE, j);
    html_calls_write(report, &HTML_CALLS_AS_THEY_ARE, j);
    if (report->kinds != NULL) {
        write_kinds_of_subs(report, j);
        write_kinds_of_files(report, j);
        write_values(report, j);
    }
    if (report->labels != NULL)
        html_label_table_write(report, j);
    if (report->difference != NULL)
        html_changes_write(report->difference, j);
    html_json_end_block(j);
}
