/* nytprofcg: a profile as a callgrind file. */
#include "callgrind.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/split.h"
#include "cli/start.h"

#include <glib.h>
#include <string.h>

static const nytp_program program = {
    .about = "Writes a Perl profile as a callgrind file, with the time of every sub and line.\n",
    .examples = "  nytprofcg && kcachegrind nytprof.callgrind\n"
                "  nytprofcg -o - | callgrind_annotate --auto=yes /dev/stdin\n",
    .operands = NYTP_PROFILES,
};

static void report(const nytp_profile *profile, const nytp_common_options *common)
{
    nytp_totals t = nytp_profile_totals(profile);
    if (t.calls == 0 && t.statements == 0)
        nytp_warn_lack("neither calls nor statements");
    else if (common->verbose)
        nytp_say("%s, %s of %s, %s", nytp_counted(t.statements, "statement").text,
                 nytp_counted(t.calls, "call").text,
                 nytp_counted(nytp_profile_sub_count(profile), "sub").text,
                 nytp_counted(nytp_profile_file_count(profile), "file").text);
}

/* The sources are complete before the file that names them appears. */
static int end(nytp_output *output, cg_sources *sources)
{
    if (sources == NULL)
        return nytp_output_commit(output);
    FILE *out = nytp_output_stream(output);
    if (fflush(out) == 0 && !ferror(out) && cg_sources_commit(sources) != 0) {
        nytp_output_discard(output);
        return -1;
    }
    return nytp_output_commit(output);
}

static int write_file(const cg_inputs *inputs, const cg_options *options, const nytp_common_options *common)
{
    report(g_array_index(inputs->views, cg_view, 0).profile, common);
    nytp_output *output = nytp_read_open_output(common->output);
    if (output == NULL)
        return -1;
    if (options->sources != NULL && cg_sources_open(options->sources, common->verbose) != 0) {
        nytp_output_discard(output);
        return -1;
    }
    cg_write(inputs, options, nytp_output_stream(output));
    return end(output, options->sources);
}

static bool read_file(cg_inputs *inputs, const char *path, const nytp_common_options *common,
                      cg_sources *sources)
{
    nytp_profile *profile = nytp_profile_new();
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    nytp_calltree_read_waited(tree);
    nytp_call_statements *statements = nytp_call_statements_new(tree);
    if (sources != NULL)
        cg_sources_collect(sources, profile);
    const int rc = nytp_read_profile(path, common, profile, tree);
    cg_inputs_add(inputs, common->memory.text, profile, tree, statements);
    return rc >= 0;
}

/* Reads the time of a file, and then the views of memory that the options ask for. Profiles of memory have no
 * source text. */
static bool read_parts(cg_inputs *inputs, const char *path, const nytp_common_options *common,
                       cg_sources *sources, int *of_time)
{
    nytp_common_options part = *common;
    part.memory = (nytp_memory_wanted){0};
    const bool is_memory = nytp_read_is_memory(path, &part);
    *of_time += !is_memory;
    if (common->memory.is_given && !nytp_can_be_read_again(path)) {
        nytp_say("--memory beside time reads a file more than once, and standard input or a pipe only once");
        return false;
    }
    if (sources != NULL && *of_time > 1) {
        nytp_say("--sources takes one profile of time; nytprofmerge makes one of several");
        return false;
    }
    bool done = read_file(inputs, path, &part, is_memory ? NULL : sources);
    g_auto(GStrv) views = g_strsplit(common->memory.is_given ? common->memory.text : "", ",", -1);
    for (char **view = views; done && !is_memory && *view != NULL; view++) {
        part.memory = (nytp_memory_wanted){.is_given = true, .text = *view};
        nytp_memory_view_read(*view, &part.memory.view);
        done = read_file(inputs, path, &part, NULL);
    }
    return done;
}

static bool read_files(cg_inputs *inputs, const nytp_operands *files, const nytp_common_options *common,
                       cg_sources *sources)
{
    int of_time = 0;
    for (int i = 0; i < files->count; i++)
        if (!read_parts(inputs, files->names[i], common, sources, &of_time))
            return false;
    return true;
}

static int convert_files(const nytp_operands *files, const cg_options *options,
                         const nytp_common_options *common)
{
    cg_inputs *inputs = cg_inputs_new();
    int rc = read_files(inputs, files, common, options->sources) ? 0 : -1;
    if (rc == 0 && !cg_inputs_join(inputs, options->keep_evals)) {
        nytp_say("a file can have %d views of memory", CG_VIEWS - 1);
        rc = -1;
    }
    if (rc == 0)
        rc = write_file(inputs, options, common);
    cg_inputs_free(inputs);
    return rc;
}

/* What filters leave is in the parts already. */
static int convert_part(const nytp_process_files *parts, uint32_t index, const cg_options *options,
                        const nytp_common_options *common)
{
    g_autofree char *path = nytp_process_files_path(parts, index),
                    *output = cg_part_output(common->output, index + 1);
    cg_options of_part = *options;
    nytp_common_options whole = *common;
    if (nytp_process_files_are_known(parts))
        of_part.part = (cg_part){index + 1, nytp_process_files_pid(parts, index),
                                 nytp_process_files_thread(parts, index)};
    whole.filters = (nytp_filter_options){0};
    whole.output = output;
    const nytp_operands one = {(const char *const[]){path}, 1};
    return convert_files(&one, &of_part, &whole);
}

/* Returns the number of files, or -1. */
static int convert_parts(const char *path, const cg_options *options, const nytp_common_options *common)
{
    nytp_process_files *parts = nytp_process_files_new(path, common, common->output);
    if (parts == NULL)
        return -1;
    if (!nytp_process_files_are_known(parts))
        nytp_say("%s was recorded with calls=0, so it is not known which process made a call: "
                 "all are one part",
                 path);
    const uint32_t count = nytp_process_files_count(parts);
    bool done = count > 0;
    for (uint32_t i = 0; i < count && done; i++)
        done = convert_part(parts, i, options, common) == 0;
    nytp_process_files_free(parts);
    return done ? (int)count : -1;
}

static int convert(const nytp_operands *files, bool in_parts, const cg_options *options,
                   const nytp_common_options *common)
{
    const int count = in_parts ? convert_parts(files->names[0], options, common)
                      : convert_files(files, options, common) == 0 ? 1
                                                                   : -1;
    if (count > 0 && strcmp(common->output, "-") != 0)
        cg_parts_remove_after(common->output, (uint32_t)count);
    return count > 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
    cg_options options = {0};
    const char *sources = NULL;
    bool in_parts = false;
    nytp_common_options common = {.takes = NYTP_TAKES_BESIDE, .output = "nytprof.callgrind"};
    static const char *const jumps[] = {"own", "all", "none", NULL}; /* cg_jumps */
    const nytp_option table[] = {
        NYTP_FILE_ROW,
        NYTP_EVALS_ROW(options.keep_evals),
        NYTP_ROW(0, "no-split", NULL, "do not split subs that recur by what they lead to",
                 .flag = &options.no_split),
        NYTP_ROW(0, "sources", "DIR", "write source text that is not on disk into DIR", .path = &sources),
        NYTP_ROW(0, "parts", NULL, "write a file for each process of a merged profile", .flag = &in_parts),
        {0, "jumps", "WHICH", "code whose loops are shown", .word = &options.jumps, .words = jumps},
        {0, "out", .same_as = "output"}, /* stock's name for it */
        NYTP_COMMON_ROWS(common, "write to FILE (default nytprof.callgrind, - for stdout)"),
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytprofcg", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status >= 0)
        return status;
    if (in_parts && (sources != NULL || strcmp(common.output, "-") == 0))
        return nytp_wrong_usage("--parts writes several files: it does not go with %s",
                                sources != NULL ? "--sources" : "--output=-");
    if (in_parts && files.count > 1)
        return nytp_wrong_usage("--parts takes one profile");
    if (sources != NULL && (options.sources = cg_sources_new(sources, common.output)) == NULL)
        return nytp_exit(false);
    const int rc = convert(&files, in_parts, &options, &common);
    cg_sources_free(options.sources);
    return nytp_exit_written(rc == 0, common.output, "kcachegrind opens it");
}
