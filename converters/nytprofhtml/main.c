/* nytprofhtml: a profile as a report in one HTML file. */
#include "core.h"
#include "pages.h"
#include "reading.h"
#include "cli/coverage.h"
#include "cli/output.h"
#include "cli/options.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "model/profile.h"

#include <string.h>

static const nytp_program program = {
    .about = "Writes a report of Perl profiles: one HTML file that needs nothing else.\n",
    .examples = "  nytprofhtml --open --diff old.out new.out\n",
    .operands = NYTP_PROFILES,
};

static const char *const url_words[] = {"{file}", "{line}", "{sub}", "{package}", NULL};
static const char *const trace_words[] = {"{trace_id}", "{span_id}", NULL};

static int write_page(const html_report *report, const html_options *options, const char *path)
{
    nytp_output *output = nytp_output_open(path);
    if (output == NULL)
        return -1;
    html_page_write(report, options, nytp_output_stream(output));
    return nytp_output_commit(output);
}

/* What an older report left goes when the new one is there. */
static int replace_report(const html_report *report, const html_options *options, const char *path)
{
    html_clearing *older = html_clearing_new(path);
    const bool done = older != NULL && write_page(report, options, path) == 0 && html_clearing_do(older);
    html_clearing_free(older);
    return done ? 0 : -1;
}

/* Parts of a run that were chosen by time have no memory. */
static void read_memory(html_report *report, const html_options *options, const nytp_common_options *common)
{
    if (nytp_profile_has_heap_records(report->profile) &&
        !nytp_options_given("range span slowest no-wait work"))
        html_memory_read(report, options, common);
}

static void warn_of_no_ids(const html_report *report, const html_options *options)
{
    const bool has_ids = report->labels != NULL && report->labels->has_traces;
    if (options->trace_url != NULL && !has_ids)
        nytp_say(
            "warning: --trace-url: no span has the ids of a trace (perldoc NYTProf::Span::OpenTelemetry)");
}

static void say_size(const html_report *report, const char *path)
{
    nytp_say("%s, %s and %s in %s", nytp_counted(report->files->len, "file").text,
             nytp_counted(report->subs->len, "sub").text, nytp_counted(report->stacks->len, "stack").text,
             path);
}

/* sides: what is compared, or NULL. Returns whether the report is there. */
static bool make_report(html_options *options, const nytp_common_options *common, const nytp_operands *sides,
                        bool clear, bool open_it)
{
    html_difference *difference = NULL;
    html_report *report = sides != NULL ? html_read_difference(options, sides, common, &difference)
                                        : html_read_report(options, common);
    const bool readable = report != NULL && !nytp_read_nothing("write");
    g_autofree char *made = NULL;
    g_autofree char *path = readable ? html_place_of(common->output, &made) : NULL;
    const bool is_file = path != NULL && strcmp(path, common->output) == 0;
    if (is_file)
        nytp_options_warn("delete", "on a file: it clears a directory");
    if (path != NULL && sides == NULL)
        read_memory(report, options, common);
    const bool done = path != NULL && (clear && !is_file ? replace_report(report, options, path)
                                                         : write_page(report, options, path)) == 0;
    if (done)
        warn_of_no_ids(report, options);
    else
        nytp_newdir_undo(common->output, made);
    if (done && common->verbose)
        say_size(report, path);
    if (done && open_it)
        html_place_open(path);
    else if (done)
        nytp_say_written(path, "--open shows it");
    html_report_free(report);
    html_difference_free(difference);
    return done;
}

/* The filters of the profile are none of the recordings'. */
static bool read_coverage(html_options *options, const char *path, const nytp_common_options *common)
{
    const nytp_common_options plain = {.strict = common->strict, .salvage = common->salvage};
    const nytp_operands one = {&path, 1};
    g_autoptr(GPtrArray) paths = nytp_coverage_list(&one);
    options->coverage = paths != NULL ? nytp_coverage_read(paths, &plain, NULL, NULL) : NULL;
    return options->coverage != NULL;
}

int main(int argc, char **argv)
{
    nytp_perl_files perl_files = {0};
    html_options options = {.files = &perl_files};
    nytp_common_options common = {.takes = NYTP_TAKES_MEASURE, .output = "nytprof"};
    bool clear = false, open_it = false, is_diff = false;
    const char *coverage = NULL;
    uint32_t flame_width;
    const nytp_option table[] = {
        NYTP_FILE_ROW,
        {'o', "out", "PATH", "directory (default nytprof), X.html, or - for stdout", .path = &common.output},
        {0, "output", .same_as = "out"},
        {'d', "delete", NULL, "remove an older report from the directory first", .flag = &clear},
        {0, "diff", NULL, "compare: OLD NEW, or OLD ... -- NEW ...", .flag = &is_diff},
        {0, "open", NULL, "show the report in a browser", .flag = &open_it},
        {0, "cover", "PATH", "show which lines tests have run (nytcover/, a recording)", .path = &coverage},
        {'l', "lib", "DIR", "look in DIR for source that is not in the profile", .path = &options.library},
        {0, "no-source", NULL, "leave out the source, so that the report can be shared",
         .flag = &options.no_source},
        NYTP_NO_SOURCE_FILES_ROW(perl_files),
        {0, "url", "TEMPLATE", "links to an editor or a forge, such as x://{file}:{line}",
         .call = nytp_set_url, .context = &(nytp_url_option){&options.url, url_words}},
        {0, "trace-url", "TEMPLATE", "links to traces, such as https://x/{trace_id}", .call = nytp_set_url,
         .context = &(nytp_url_option){&options.trace_url, trace_words}},
        {0, "title", "TEXT", "title of the report (default: the program's name)", .text = &options.title},
        NYTP_MIN_ROW(options.min),
        {0, "no-flame", NULL, "leave out the flame graph", .flag = &options.no_flame},
        NYTP_EVALS_ROW(options.keep_evals),
        {0, "no-mergeevals", .same_as = "no-merge-evals"}, /* stock's name for it */
        NYTP_READING_ROWS(common),
        NYTP_HIDDEN_ROWS,
        {'m', "minimal", .without_effect = true},
        {0, "flamewidth", "N", .count = &flame_width, .without_effect = true},
        {0, "profself", .without_effect = true},
        {0, "debug", .without_effect = true},
        NYTP_TABLE_END,
    };
    nytp_operands files, sides[NYTP_SIDES];
    nytp_start("nytprofhtml", argv);
    const int after_dashes = nytp_words_after_dashes(argc, argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status < 0 && is_diff)
        status = nytp_sides_split(&files, after_dashes, sides);
    if (status < 0)
        status = NYTP_REFUSE({is_diff, "no-merge-evals", "with --diff, which compares merged evals"},
                             {is_diff, "cover", "with --diff"},
                             {options.no_source, "lib no-source-files", "with --no-source"});
    if (status >= 0)
        return status;
    options.inputs = &files;
    if (is_diff) {
        nytp_sides_unify_labels(sides, &common.filters);
        nytp_slowest_apart();
    }
    common.filters.evals = true;
    options.filters = &common.filters;
    perl_files.verbose = common.verbose;
    if (coverage != NULL && !read_coverage(&options, coverage, &common))
        return NYTP_EXIT_FAILED;
    const bool done = make_report(&options, &common, is_diff ? sides : NULL, clear, open_it);
    nytp_cover_free(options.coverage);
    return nytp_exit(done);
}
