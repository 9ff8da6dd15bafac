/* nytprofcalls: the calls of profiles as collapsed stacks, for flamegraph.pl. */
#include "calls/calltree.h"
#include "calls/process_times.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "collapse.h"
#include "export/time_parts.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

static const nytp_program program = {
    .about = "Writes the call stacks of Perl profiles, one a line, with their times.\n",
    .examples = "  nytprofcalls nytprof.out | flamegraph.pl --countname=ticks > flame.svg\n",
    .operands = NYTP_PROFILES,
};

static void report(const calls_collapse *c, const nytp_common_options *common)
{
    uint64_t calls;
    size_t stacks, subs;
    calls_collapse_totals(c, &calls, &stacks, &subs);
    if (calls_collapse_is_empty(c))
        nytp_warn_no_calls();
    else if (common->verbose)
        nytp_say("%s of %s in %s", nytp_counted(calls, "call").text, nytp_counted(subs, "sub").text,
                 nytp_counted(stacks, "different stack").text);
}

/* A profile says at its end what its subs are. */
typedef struct reading {
    nytp_calltree *tree;
    nytp_profile *one; /* NULL: it has not begun */
    calls_kinds *kinds;
} reading;

static int read_some(void *context, nytp_reader *reader)
{
    reading *r = context;
    if (r->one == NULL)
        r->one = nytp_profile_new();
    return nytp_profile_read_with_calls(r->one, r->tree, reader);
}

static bool end_profile(void *context)
{
    reading *r = context;
    nytp_calltree_end_profile(r->tree);
    calls_kinds_add(r->kinds, r->one);
    nytp_profile_free(r->one);
    r->one = NULL;
    return true;
}

static int read_file(const char *path, const nytp_common_options *common, nytp_calltree *tree,
                     calls_kinds *kinds)
{
    if (kinds == NULL)
        return nytp_read_calltree(path, common, tree);
    reading r = {.tree = tree, .kinds = kinds};
    const int rc = nytp_read(path, common,
                             &(nytp_read_handler){.tags = nytp_profile_tags() | nytp_calltree_tags(tree),
                                                  .read_some = read_some,
                                                  .end_profile = end_profile,
                                                  .context = &r});
    nytp_profile_free(r.one);
    return rc;
}

static int read_profiles(calls_collapse *c, const calls_options *options, const nytp_common_options *common,
                         const char *const *files, int count)
{
    for (int i = 0; i < count; i++)
        if (read_file(files[i], common, calls_collapse_tree(c), options->kinds) < 0)
            return -1;
    report(c, common);
    enum nytp_unit_word unit = calls_collapse_unit(c);
    return nytp_read_unit(&unit, 0);
}

static nytp_output *open_output(const char *path)
{
    enum { MANY_MB = 20 }; /* flame graphs of it are slow to draw */
    return nytp_read_open_large_output(path, MANY_MB, "--depth=N and --min=1% make it smaller");
}

/* Whether somebody reads what the time is made of: with -v, or where stacks do not go to the same terminal.
 */
static bool shows_head(const nytp_common_options *common, const char *file)
{
    const bool is_file = common->output != NULL && strcmp(common->output, "-") != 0;
    return (common->verbose || (nytp_is_terminal(STDERR_FILENO) && (is_file || !isatty(STDOUT_FILENO)))) &&
           !nytp_read_is_memory(file, common);
}

static void say_head(const nytp_process_times *times)
{
    const nytp_measure seconds = nytp_measure_new();
    const nytp_time_parts parts = nytp_time_parts_of_processes(times, seconds.ticks_per_base);
    g_autofree char *text = nytp_time_parts_text(&parts, &seconds);
    nytp_say("%s", text);
}

static int collapse(const calls_options *options, const nytp_common_options *common,
                    const nytp_operands *files)
{
    calls_collapse *c = calls_collapse_new(options);
    nytp_process_times *times = shows_head(common, files->names[0]) ? nytp_process_times_new() : NULL;
    if (times != NULL) {
        nytp_calltree_read_whole(calls_collapse_tree(c));
        nytp_process_times_take(times, nytp_calltree_events(calls_collapse_tree(c)));
    }
    int rc = read_profiles(c, options, common, files->names, files->count);
    if (rc == 0 && times != NULL && !calls_collapse_is_empty(c))
        say_head(times);
    nytp_process_times_free(times);
    nytp_output *output = rc == 0 ? open_output(common->output) : NULL;
    if (output != NULL) {
        calls_collapse_write(c, nytp_output_stream(output));
        rc = nytp_output_commit(output);
    }
    calls_collapse_free(c);
    return output != NULL ? rc : -1;
}

/* Both trees use the ticks of the first profile. */
static int read_both(calls_collapse *before, calls_collapse *after, const calls_options *options,
                     const nytp_common_options *common, const nytp_operands *files)
{
    if (read_profiles(before, options, common, files->names, 1) != 0)
        return -1;
    nytp_calltree_set_ticks_per_sec(calls_collapse_tree(after),
                                    nytp_calltree_ticks_per_sec(calls_collapse_tree(before)));
    return read_profiles(after, options, common, files->names + 1, 1);
}

static int compare(const calls_options *options, bool scale, const nytp_common_options *common,
                   const nytp_operands *files)
{
    calls_collapse *before = calls_collapse_new(options), *after = calls_collapse_new(options);
    int rc = read_both(before, after, options, common, files);
    nytp_output *output = rc == 0 ? open_output(common->output) : NULL;
    if (output != NULL) {
        calls_diff_write(options, before, after, scale, nytp_output_stream(output));
        rc = nytp_output_commit(output);
    }
    calls_collapse_free(before);
    calls_collapse_free(after);
    return output != NULL ? rc : -1;
}

typedef struct ordering {
    nytp_process_calls *calls;
    calls_kinds *kinds; /* may be NULL */
} ordering;

static int read_some_in_order(void *context, nytp_reader *reader)
{
    return nytp_process_calls_read(((const ordering *)context)->calls, reader);
}

static bool end_profile_in_order(void *context)
{
    const ordering *o = context;
    if (o->kinds != NULL)
        calls_kinds_add(o->kinds, o->calls->profile);
    nytp_process_calls_end_profile(o->calls);
    return true;
}

static int read_in_order(nytp_process_calls *calls, const calls_options *options,
                         const nytp_common_options *common, const nytp_operands *files)
{
    const nytp_read_handler handler = {.tags = nytp_process_calls_tags(calls),
                                       .read_some = read_some_in_order,
                                       .end_profile = end_profile_in_order,
                                       .context = &(ordering){calls, options->kinds}};
    for (int i = 0; i < files->count; i++)
        if (nytp_read(files->names[i], common, &handler) < 0)
            return -1;
    if (nytp_process_calls_count(calls) == 0)
        nytp_warn_no_calls();
    return 0;
}

static int write_in_order(const calls_options *options, const nytp_common_options *common,
                          const nytp_operands *files)
{
    nytp_process_calls *calls = nytp_process_course_new(options->keep_evals, false);
    int rc = read_in_order(calls, options, common, files);
    nytp_output *output = rc == 0 ? open_output(common->output) : NULL;
    if (output != NULL)
        rc = nytp_output_end(output, calls_write_in_time_order(options, calls, nytp_output_stream(output)));
    nytp_process_calls_free(calls);
    return output != NULL ? rc : -1;
}

int main(int argc, char **argv)
{
    calls_options options = {.unit = NYTP_UNIT_TICKS};
    nytp_common_options common = {.takes = NYTP_TAKES_MEASURE};
    bool diff = false, scale = false, annotate = false, in_order = false;
    const nytp_option table[] = {
        {0, "calls", .flag = &options.count_calls},
        {0, "blocks", .same_as = "calls"},
        {0, "kinds", NULL, "numbers of calls or blocks; kinds of memory as frames",
         .flag = &common.filters.kinds},
        {0, "unit", "UNIT", "unit", .word = &options.unit, .words = nytp_units},
        NYTP_ROOT_ROW(options.root),
        {0, "reverse", NULL, "callee first, to see the callers of expensive subs", .flag = &options.reverse},
        NYTP_MIN_ROW(options.min),
        NYTP_DEPTH_ROW(options.max_depth),
        {0, "time-order", .flag = &in_order},
        {0, "annotate", NULL, "for flame charts, in order; for colours by kind", .flag = &annotate},
        {0, "diff", NULL, NULL, .flag = &diff},
        {0, "diff-scale", NULL, "compare OLD and NEW, two values on a line; scale OLD's", .flag = &scale},
        NYTP_EVAL_ROWS(common, options.keep_evals),
        {0, "stable", NULL, "accepted without effect: output is always stable", .flag = NULL},
        NYTP_COMMON_ROWS(common, "write to FILE, not to standard output"),
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytprofcalls", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    diff |= scale;
    if (status < 0)
        status = NYTP_REFUSE({options.count_calls, "unit", "with --calls, which shows no times"},
                             {in_order, "calls kinds reverse diff diff-scale", "with --time-order"},
                             {diff && files.count != 2, NULL, "--diff compares two profiles: OLD NEW"});
    if (status >= 0)
        return status;
    if (diff)
        nytp_slowest_apart();
    if (in_order)
        common.takes = NYTP_TAKES_TIME;
    options.root |= nytp_read_has_root(files.names[0], &common);
    options.kinds = annotate ? calls_kinds_new() : NULL;
    int rc = diff       ? compare(&options, scale, &common, &files)
             : in_order ? write_in_order(&options, &common, &files)
                        : collapse(&options, &common, &files);
    calls_kinds_free(options.kinds);
    return nytp_exit_written(rc == 0, common.output, "flamegraph.pl draws it");
}
