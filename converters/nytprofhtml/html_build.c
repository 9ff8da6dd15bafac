#include "html_build.h"

#include "model/calltree.h"

#include <string.h>

enum { MOST_CALLS = 20000 /* of the time line */ };

struct html_building {
    nytp_profile *profile;
    nytp_calltree *tree;
    html_source *source;
    nytp_longest_calls *longest;
    char *problem; /* why the input ends early; NULL: it does not */
};

static void on_source(void *context, uint32_t fid, uint32_t line, nytp_str text)
{
    html_source_add(((html_building *)context)->source, fid, line, text);
}

static void on_return(void *context, uint32_t sub, uint32_t depth, double excl_ticks)
{
    nytp_longest_calls_add(((html_building *)context)->longest, sub, depth, excl_ticks);
}

static void on_process(void *context)
{
    nytp_longest_calls_begin_process(((html_building *)context)->longest);
}

uint32_t html_building_wanted(void)
{
    return nytp_profile_wanted() | nytp_calltree_wanted();
}

int html_building_read(void *building, nytp_reader *reader)
{
    html_building *b = building;
    int rc = nytp_profile_read_with_calls(b->profile, b->tree, reader);
    if (rc != NYTP_OK && rc != NYTP_END)
        b->problem = g_strdup(nytp_reader_error(reader)->message);
    return rc;
}

html_building *html_building_new(const html_options *options)
{
    static const nytp_calltree_observer observer = {on_return, on_process};
    html_building *b = g_new0(html_building, 1);
    b->profile = nytp_profile_new();
    b->tree = nytp_calltree_new(NULL, NULL);
    b->source = html_source_new();
    b->longest = nytp_longest_calls_new(MOST_CALLS);
    nytp_profile_keep_levels(b->profile);
    nytp_calltree_observe(b->tree, &observer, b);
    if (!options->no_source)
        nytp_profile_on_source(b->profile, on_source, b);
    return b;
}

void html_building_free(html_building *b)
{
    nytp_profile_free(b->profile);
    nytp_calltree_free(b->tree);
    html_source_free(b->source);
    nytp_longest_calls_free(b->longest);
    g_free(b->problem);
    g_free(b);
}

/* Source that was recorded with savesrc=0, from where the program had it, or from --lib. */
static void find_source(html_building *b, const char *library)
{
    for (size_t i = 0; i < nytp_profile_file_count(b->profile); i++) {
        const nytp_file *f = nytp_profile_file(b->profile, i);
        uint64_t from, bytes;
        if (f->eval_fid != 0 || f->name.length == 0 || memchr(f->name.bytes, '\0', f->name.length) != NULL ||
            html_source_place(b->source, f->fid, &from, &bytes))
            continue;
        char *name = g_strndup(f->name.bytes, f->name.length);
        char *below = library != NULL ? g_build_filename(library, name, NULL) : NULL;
        if (below == NULL || !html_source_add_file(b->source, f->fid, below))
            html_source_add_file(b->source, f->fid, name);
        g_free(below);
        g_free(name);
    }
}

static void fold_small_stacks(const html_building *b, double min_percent)
{
    uint64_t calls;
    double excl_ticks;
    nytp_calltree_totals(b->tree, &calls, &excl_ticks);
    if (min_percent > 0)
        nytp_calltree_prune(b->tree, excl_ticks * min_percent / 100, UINT32_MAX, "(less than --min)");
}

static void add_problems(html_report *report, const html_building *b)
{
    if (b->problem != NULL)
        html_report_problem(report, "This profile is not whole: %s. What came before is shown.", b->problem);
    if (report->is_tmon)
        html_report_problem(
            report, "%s",
            "A tmon.out of Devel::DProf has calls only: there are no lines, no files and no source.");
    else if (report->statements == 0)
        html_report_problem(report, "%s",
                            "No statements were recorded (stmts=0): there are no times of lines and files.");
    if (report->calls == 0)
        html_report_problem(report, "%s", "No calls of subs were recorded (subs=0).");
}

html_report *html_building_finish(html_building *b, const html_options *options)
{
    if (!options->keep_evals)
        nytp_profile_merge_evals(b->profile);
    if (!options->no_source)
        find_source(b, options->library);
    fold_small_stacks(b, options->min_percent);
    html_report *report = html_report_new(b->profile, b->tree, b->source, b->longest);
    if (options->no_flame)
        g_array_set_size(report->stacks, 0);
    add_problems(report, b);
    g_free(b->problem);
    g_free(b);
    return report;
}
