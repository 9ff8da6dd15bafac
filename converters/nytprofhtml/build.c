#include "reading.h"

#include "core.h"
#include "base/ticks.h"
#include "events/filters.h"
#include "cli/read.h"
#include "cli/say.h"
#include "calls/calltree.h"
#include "calls/derive_arcs.h"
#include "calls/durations.h"
#include "calls/process_times.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CALLS = 20000 /* of the time line */,
    MOST_REQUESTS = 20000,
    MOST_STATEMENTS = 1 << 20 /* of a request, to know its lines */
};

struct html_building {
    bool want_source;
    nytp_source_line_fn *on_source; /* the options have it */
    void *on_source_context;
    nytp_profile *sum; /* of the profiles that were added; NULL if none */
    nytp_profile *one; /* the one that was read last, which is not in the sum yet; NULL if none */
    bool begun;        /* one has not ended */
    bool is_cut;       /* the profile that ends was not read to its end, where its last sums would be */
    bool some_cut;     /* a profile was not read to its end, where its last sums would be */
    nytp_names *names; /* of subs */
    nytp_events *events;
    nytp_calltree *tree;
    nytp_longest_calls *longest;
    nytp_durations *durations;
    GArray *traced;             /* html_traced, by number of the name */
    GHashTable *request_traces; /* uint64_t *: id of a request that goes on, and its nytp_trace */
    html_by_process *by_process;
    nytp_process_times *process_times;
    nytp_memory_about memory;
    nytp_kinds *kinds;
    nytp_growth *growth;
    nytp_time_slices *slices;
    nytp_span_times *spans;
    nytp_span_sample *requests;
    nytp_span_trees *request_trees;
    nytp_span_lines *request_lines;
    html_source *source;
    GHashTable *sourced; /* char *: names of files whose text a profile had */
    uint32_t source_fid; /* of the line of source that came last; 0: none */
    bool skip_source;    /* an earlier profile had that file */
    GPtrArray *problems; /* char *: for banners */
};

/* Keeps the ids of the longest call of each span. */
static void note_trace(const html_building *b, uint32_t sub, double ticks, const nytp_trace *ids)
{
    if (sub >= b->traced->len)
        g_array_set_size(b->traced, sub + 1);
    html_traced *t = &g_array_index(b->traced, html_traced, sub);
    const double scaled_ticks = fmax(ticks * b->durations->scale, 0);
    if (scaled_ticks > t->ticks || t->ids.trace[0] == '\0')
        *t = (html_traced){scaled_ticks, *ids};
}

/* A request has the ids of its first part that has any. */
static void keep_trace(const html_building *b, const nytp_call_event *part)
{
    if (!g_hash_table_contains(b->request_traces, &part->request))
        g_hash_table_insert(b->request_traces, g_memdup2(&part->request, sizeof part->request),
                            g_memdup2(part->trace, sizeof *part->trace));
}

static void on_call(void *sink, const nytp_call_event *call)
{
    const html_building *b = sink;
    const nytp_call_time *when = &call->when;
    const double ticks =
        nytp_at_least_0(nytp_calltree_scaled(b->tree, call->incl_ticks + when->uncounted_ticks));
    if (nytp_measure_is_bytes(nytp_events_measure(b->events))) /* calls have no times */
        return;
    nytp_longest_calls_add(b->longest, call->sub, call->depth,
                           nytp_calltree_scaled(b->tree, when->begin_ticks), ticks);
    if (call->trace != NULL && call->request != 0)
        keep_trace(b, call);
    else if (call->trace != NULL && call->count > 0)
        note_trace(b, call->sub, nytp_call_latency_ticks(call), call->trace);
}

static void on_request(void *sink, const nytp_request *request)
{
    const html_building *b = sink;
    const nytp_trace *ids = g_hash_table_lookup(b->request_traces, &request->id);
    if (ids != NULL && request->has_ended && request->is_run)
        note_trace(b, request->sub, request->end_ticks - request->begin_ticks, ids);
    g_hash_table_remove(b->request_traces, &request->id);
}

static void on_process(void *sink)
{
    html_building *b = sink;
    nytp_longest_calls_begin_process(b->longest);
    nytp_span_trees_begin_process(b->request_trees);
    g_hash_table_remove_all(b->request_traces);
    html_by_process_begin(b->by_process, &b->tree->stacks);
}

static void add_request(void *building, const nytp_span_time *span)
{
    const html_building *b = building;
    nytp_span_trees_add(b->request_trees, span, nytp_span_sample_total(b->requests));
    nytp_span_sample_add(b->requests, span);
}

static void add_part(void *building, const nytp_call_event *part)
{
    const html_building *b = building;
    nytp_span_trees_add_part(b->request_trees, part);
}

html_building *html_building_new(const html_options *options)
{
    static const nytp_sink sink = {
        .on_process = on_process, .on_call = on_call, .on_request = on_request, .needs_clock = true};
    html_building *b = g_new0(html_building, 1);
    b->want_source = !options->no_source;
    b->on_source = options->on_source;
    b->on_source_context = options->on_source_context;
    b->names = nytp_names_new();
    b->tree = nytp_calltree_new_of(b->names, NULL, NULL);
    b->events = nytp_events_new(b->names);
    b->requests = nytp_span_sample_new(MOST_REQUESTS);
    b->request_lines = nytp_span_lines_new(b->tree, MOST_STATEMENTS);
    b->request_trees = nytp_span_trees_new(b->tree, b->request_lines);
    b->spans = nytp_span_times_new(add_request, add_part, b);
    nytp_span_times_take(b->spans, b->names,
                         b->events); /* before the tree, of which it asks for their calls */
    nytp_calltree_read_waited(b->tree);
    nytp_calltree_take(b->tree, b->events); /* before ours, which takes its stacks */
    nytp_events_add_sink(b->events, &sink, b);
    b->longest = nytp_longest_calls_new(MOST_CALLS);
    b->durations = nytp_durations_new(b->names);
    b->traced = NYTP_ZEROED_ARRAY(html_traced);
    b->request_traces = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, g_free);
    nytp_durations_take(b->durations, b->events);
    b->by_process = html_by_process_new();
    b->process_times = nytp_process_times_new();
    nytp_process_times_take(b->process_times, b->events);
    b->kinds = nytp_kinds_new();
    nytp_kinds_take(b->kinds, b->names, b->events);
    b->growth = nytp_growth_new(b->names);
    nytp_growth_take(b->growth, b->events);
    b->slices = nytp_time_slices_new();
    if (!options->no_flame)
        nytp_time_slices_take(b->slices, b->names, b->events);
    nytp_span_lines_take(b->request_lines, b->events);
    b->source = html_source_new();
    b->sourced = g_hash_table_new_full(nytp_hash_of_text, g_str_equal, g_free, NULL);
    b->problems = g_ptr_array_new_with_free_func(g_free);
    return b;
}

/* Frees the members that the report does not own. */
static void free_rest(html_building *b)
{
    g_hash_table_destroy(b->sourced);
    g_ptr_array_free(b->problems, TRUE);
    nytp_durations_free(b->durations);
    nytp_span_times_free(b->spans);
    nytp_growth_free(b->growth);
    nytp_time_slices_free(b->slices);
    g_array_free(b->traced, TRUE);
    g_hash_table_destroy(b->request_traces);
    nytp_events_free(b->events);
    nytp_names_free(b->names);
    g_free(b);
}

void html_building_free(html_building *b)
{
    nytp_profile_free(b->sum);
    nytp_profile_free(b->one);
    nytp_calltree_free(b->tree);
    nytp_longest_calls_free(b->longest);
    html_by_process_free(b->by_process);
    nytp_process_times_free(b->process_times);
    nytp_kinds_free(b->kinds);
    nytp_span_sample_free(b->requests);
    nytp_span_trees_free(b->request_trees);
    nytp_span_lines_free(b->request_lines);
    html_source_free(b->source);
    free_rest(b);
}

static bool had_source(html_building *b, uint32_t fid)
{
    const nytp_file *f = nytp_profile_file_by_fid(b->one, fid);
    if (f == NULL || f->eval_fid != 0)
        return false;
    char *name = g_strndup(f->name.bytes != NULL ? f->name.bytes : "", f->name.length);
    return !g_hash_table_add(b->sourced, name);
}

static void on_source(void *context, uint32_t fid, uint32_t line, nytp_str text)
{
    html_building *b = context;
    if (b->on_source != NULL && b->sum == NULL) /* later profiles have other fids */
        b->on_source(b->on_source_context, fid, line, text);
    if (fid != b->source_fid)
        b->skip_source = had_source(b, fid);
    b->source_fid = fid;
    if (b->want_source && !b->skip_source)
        html_source_add(b->source, fid, line, text);
}

uint32_t html_building_tags(const html_building *b)
{
    return nytp_profile_tags() | nytp_events_tags(b->events);
}

/* Called at the end of an input. Records why it ends early, and the lines that were skipped. */
static void note_problems(html_building *b, const nytp_reader *reader, int rc)
{
    const char *first;
    size_t skipped = nytp_reader_warnings(reader, &first);
    b->is_cut = rc != NYTP_END && !nytp_filters_sum_calls(reader);
    if (rc != NYTP_END)
        g_ptr_array_add(b->problems,
                        g_strdup_printf("This profile is not whole: %s. What came before is shown.",
                                        nytp_reader_error(reader)->message));
    if (skipped == 1)
        g_ptr_array_add(b->problems, g_strdup_printf("A line of this profile was skipped: %s.", first));
    else if (skipped > 1)
        g_ptr_array_add(b->problems, g_strdup_printf("%zu lines of this profile were skipped, the first: %s.",
                                                     skipped, first));
}

static uint32_t fid_in_sum(const void *sum, uint32_t fid)
{
    return nytp_profile_added_fid(sum, fid, 0);
}

/* Adds the profile that was read last to the sum. */
static void add_to_sum(html_building *b)
{
    if (b->sum == NULL) {
        b->sum = nytp_profile_new();
        nytp_profile_keep_levels(b->sum);
    }
    nytp_profile_add_profile(b->sum, b->one, NULL);
    nytp_kinds_end_profile(b->kinds, fid_in_sum, b->sum);
    nytp_time_slices_place_files(b->slices, fid_in_sum, b->sum);
    nytp_span_lines_place_files(b->request_lines, fid_in_sum, b->sum);
    html_source_end_input(b->source, fid_in_sum, b->sum);
    nytp_profile_free(b->one);
    b->one = NULL;
}

/* With one profile there is nothing to add: it is the sum. */
static void end_profiles(html_building *b)
{
    if (b->sum != NULL) {
        add_to_sum(b);
        return;
    }
    b->sum = b->one;
    b->one = NULL;
    nytp_kinds_end_profile(b->kinds, NULL, NULL);
    nytp_time_slices_place_files(b->slices, NULL, NULL);
    nytp_span_lines_place_files(b->request_lines, NULL, NULL);
    html_source_end_input(b->source, NULL, NULL);
}

static void begin_profile(html_building *b)
{
    if (b->one != NULL)
        add_to_sum(b);
    b->begun = true;
    b->one = nytp_profile_new();
    nytp_profile_keep_levels(b->one);
    nytp_events_set_profile(b->events, b->one);
    nytp_time_slices_begin_profile(b->slices, b->one);
    if (b->want_source || b->on_source != NULL)
        nytp_profile_on_source(b->one, on_source, b);
    b->source_fid = 0;
}

int html_building_read(void *building, nytp_reader *reader)
{
    html_building *b = building;
    if (!b->begun)
        begin_profile(b);
    int rc = nytp_events_read(b->events, reader);
    if (rc != NYTP_OK)
        note_problems(b, reader, rc);
    return rc;
}

static void note_memory(html_building *b)
{
    const nytp_setting *s;
    for (size_t i = 0; b->begun && (s = nytp_profile_setting(b->one, i)) != NULL; i++)
        if (s->tag == NYTP_ATTRIBUTE)
            nytp_memory_about_note(&b->memory, s->key, s->value);
}

bool html_building_end_profile(void *building)
{
    html_building *b = building;
    nytp_profile *calls = b->begun && b->is_cut ? nytp_read_calls_again() : NULL;
    if (calls != NULL)
        nytp_profile_complete_arcs_of(b->one, calls);
    else
        b->some_cut |= b->is_cut;
    nytp_profile_free(calls);
    b->is_cut = false;
    note_memory(b);
    nytp_calltree_end_profile(b->tree);
    b->begun = false;
    return true;
}

static bool add_file(html_building *b, uint32_t fid, nytp_perl_files *files, const char *path)
{
    size_t size;
    char *text = nytp_perl_file_read(files, path, &size);
    if (text != NULL)
        html_source_add_text(b->source, fid, text, size);
    free(text);
    return text != NULL;
}

/* Source that was recorded with savesrc=0, from where the program had it, or from --lib. */
static void find_source(html_building *b, const html_options *options)
{
    nytp_perl_files_recorded(options->files, b->sum);
    for (size_t i = 0; i < nytp_profile_file_count(b->sum); i++) {
        const nytp_file *f = nytp_profile_file(b->sum, i);
        uint64_t from, bytes;
        if (f->eval_fid != 0 || f->name.length == 0 || memchr(f->name.bytes, '\0', f->name.length) != NULL ||
            html_source_place(b->source, f->fid, &from, &bytes))
            continue;
        g_autofree char *name = g_strndup(f->name.bytes, f->name.length);
        g_autofree char *below =
            options->library != NULL ? g_build_filename(options->library, name, NULL) : NULL;
        if (below == NULL || !add_file(b, f->fid, options->files, below))
            add_file(b, f->fid, options->files, name);
    }
    html_source_end_input(b->source, NULL, NULL);
    if (options->files->newer > 0)
        g_ptr_array_add(b->problems,
                        g_strdup_printf("%s changed after the program began, so that lines may not match.",
                                        nytp_counted(options->files->newer, "source file").text));
}

/* Nothing is kept by process where there is only one. */
static void end_processes(html_building *b, bool no_flame)
{
    nytp_calltree_end_stack(b->tree);
    html_by_process_end(b->by_process, &b->tree->stacks);
    if (html_by_process_count(b->by_process) < 2 || no_flame)
        g_clear_pointer(&b->by_process, html_by_process_free);
}

static void fold_small_stacks(const html_building *b, nytp_least min)
{
    if (nytp_least_is_given(min))
        nytp_calltree_prune(
            b->tree,
            nytp_least_ticks(min, nytp_calltree_whole_ticks(b->tree), nytp_calltree_ticks_per_sec(b->tree)),
            UINT32_MAX, HTML_FOLDED);
}

static size_t cut_processes(const nytp_profile *profile)
{
    const nytp_process *p;
    size_t count = 0;
    for (size_t i = 0; (p = nytp_profile_process(profile, i)) != NULL; i++)
        count += p->is_cut;
    return count;
}

static void add_problems(html_report *report, const html_building *b)
{
    const size_t cut = cut_processes(report->profile);
    if (cut > 0)
        html_report_problem(report,
                            "When the profile was merged, %s had no end (still running, killed, or the file "
                            "was cut). What came before is shown.",
                            nytp_counted(cut, "process").text);
    for (guint i = 0; i < b->problems->len; i++)
        html_report_problem(report, "%s", (const char *)b->problems->pdata[i]);
    if (report->is_tmon)
        html_report_problem(
            report, "%s",
            "A tmon.out of Devel::DProf has calls only: there are no lines, no files and no source.");
    else if (report->statements == 0 && nytp_measure_is_bytes(&report->measure))
        html_report_problem(report, "%s", "No memory is in this profile: no allocation was followed.");
    else if (report->statements == 0)
        html_report_problem(
            report, "%s",
            nytp_profile_is_off(report->profile, "stmts")
                ? "No statements were recorded (stmts=0): there are no times of lines and files."
                : "The program ran no statement while it was profiled.");
    if (report->calls == 0 && !nytp_measure_is_bytes(&report->measure) &&
        nytp_profile_is_off(report->profile, "subs"))
        html_report_problem(report, "%s", "No calls of subs were recorded (subs=0).");
}

/* Takes ownership of the sums, which only a report of memory keeps. */
static void take_kinds(html_building *b, html_report *report, GArray *sums)
{
    if (nytp_measure_is_bytes(&report->measure)) {
        report->kinds = b->kinds;
        report->kind_sums = sums;
    } else {
        nytp_kinds_free(b->kinds);
        g_array_unref(sums);
    }
    b->kinds = NULL;
}

html_report *html_building_finish(html_building *b, const html_options *options)
{
    end_profiles(b);
    nytp_time_slices_end(b->slices);
    nytp_span_lines_end(b->request_lines);
    end_processes(b, options->no_flame);
    if (nytp_profile_lacks_arcs(b->sum, !b->some_cut))
        nytp_profile_complete_arcs(b->sum, b->tree);
    nytp_sub_durations durations = nytp_durations_by_sub(b->durations, b->sum);
    GArray *kind_sums = nytp_kinds_by_sub(b->kinds, b->sum);
    g_autofree uint32_t *moved = options->keep_evals ? NULL : nytp_profile_move_evals(b->sum);
    if (moved != NULL) {
        nytp_sub_durations_move(&durations, b->sum, moved);
        nytp_kind_sums_move(kind_sums, moved);
    }
    if (b->want_source)
        find_source(b, options);
    const nytp_measure measure = nytp_profile_measure(b->sum);
    nytp_findings *findings =
        nytp_measure_is_bytes(&measure)
            ? nytp_findings_of_memory(b->sum, b->kinds, kind_sums)
            : nytp_findings_new(b->sum, b->tree, &durations, b->growth, b->process_times, false);
    html_labels *labels = html_labels_new(b->sum, b->tree, b->durations, b->traced);
    fold_small_stacks(b, options->min);
    html_report *report = html_report_new(b->sum, b->tree, b->source, b->longest, findings, b->by_process);
    report->durations = durations;
    report->labels = labels;
    report->requests = b->requests;
    report->request_trees = b->request_trees;
    report->request_lines = b->request_lines;
    report->line_rows = html_line_rows(report);
    html_slices_find(report, b->slices);
    g_clear_pointer(&b->slices, nytp_time_slices_free);
    report->process_times = b->process_times;
    report->memory = b->memory;
    take_kinds(b, report, kind_sums);
    if (options->no_flame)
        html_report_forget_stacks(report);
    add_problems(report, b);
    free_rest(b);
    return report;
}
