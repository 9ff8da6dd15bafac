/* nytp-cover: which code has run. */
#include "inputs.h"
#include "show.h"

#include "cli/options.h"
#include "cli/output.h"
#include "cli/say.h"
#include "cli/read.h"
#include "cli/start.h"

#include <string.h>

typedef struct options {
    nytp_common_options common;
    bool missing, with_evals;
    const char *lcov, *cobertura, *json; /* files to write; NULL: not asked for */
    const char *who, *only_by;
    const char *diff;                    /* the base; NULL: all lines count */
    double least_lines, least_branches; /* in percent */
} options;

static char *set_base(const nytp_option *option, const char *argument)
{
    *(const char **)option->context = argument != NULL ? argument : "main";
    return NULL;
}

static int parse(options *o, int argc, char **argv, nytp_operands *operands)
{
    static const nytp_program program = {
        .about =
            "Shows which lines, branches, conditions and subs of a program have run.\n",
        .examples = "  nytp-cover prove -l t\n"
                    "  nytp-cover --missing\n"
                    "  perl -MDevel::NYTProf::Cover my.pl && nytp-cover nytcover.out\n",
        .operands = NYTP_OTHER_OPERANDS,
        .operands_usage = "[[--] COMMAND | RECORDING ... | DIRECTORY ...]",
        .operands_about = "COMMAND is run, and each perl that it starts is recorded in nytcover/. Without\n"
                          "one, what was recorded is shown, by default nytcover/ or nytcover.out.\n",
        .ends_at_operand = true,
    };
    const nytp_option table[] = {
        {'m', "missing", NULL, "list what has not run: lines, and branches as 77->F", .flag = &o->missing},
        {0, "diff", "BASE", "only lines added since the branch BASE (default main), and list those",
         .call = set_base, .context = &o->diff, .optional = true},
        {0, "who", "FILE:LINE", "only print which programs have run that line", .path = &o->who},
        {0, "only-by", "PROGRAM", "list lines that no other program has run", .path = &o->only_by},
        {0, "evals", NULL, "string evals count, too", .flag = &o->with_evals},
        {0, "fail-under", "PERCENT", "status 3 if fewer of the lines have run", .percent = &o->least_lines},
        {0, "fail-under-branch", "PERCENT", "the same of branches", .percent = &o->least_branches},
        {0, "lcov", "FILE", "write a tracefile of lcov, - for standard output", .path = &o->lcov},
        {0, "cobertura", "FILE", "the same as Cobertura's XML", .path = &o->cobertura},
        {0, "json", "FILE", "the same as JSON", .path = &o->json},
        NYTP_OUTPUT_ROW(o->common, "write the table to FILE (default: standard output)"),
        NYTP_REPORTING_ROWS(o->common),
        NYTP_TABLE_END,
    };
    return nytp_options_parse(&program, table, argc, argv, operands);
}

typedef void write_fn(FILE *out, const GPtrArray *files);

/* Writes a file for other programs, unless path is NULL. Returns false after saying why not. */
static bool export(const char *path, write_fn *write, const GPtrArray *files)
{
    nytp_output *output = path != NULL ? nytp_output_open(path) : NULL;
    if (output == NULL)
        return path == NULL;
    write(nytp_output_stream(output), files);
    return nytp_output_commit(output) == 0;
}

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static void show_text(nytp_output *output, const options *o, const GPtrArray *files)
{
    const nytp_look look = nytp_look_of(o->common.output, NYTP_COLOR_NEVER);
    FILE *out = nytp_output_text(output, &look);
    if (o->only_by != NULL) {
        cover_show_lines(out, files, false);
    } else if (o->missing) {
        cover_show_missing(out, files, o->with_evals);
    } else if (o->diff != NULL && files->len == 0) {
        fprintf(out, "No code was added since %s.\n", o->diff);
    } else {
        if (o->diff != NULL)
            cover_show_lines(out, files, o->with_evals);
        cover_show_table(out, files, o->with_evals, &look);
    }
}

/* The table is not beside a file that goes to standard output, too. */
static bool show(const options *o, const GPtrArray *files)
{
    if (!export(o->lcov, cover_write_lcov, files) || !export(o->cobertura, cover_write_cobertura, files) ||
        !export(o->json, cover_write_json, files))
        return false;
    if (o->common.output == NULL && (is_stdout(o->lcov) || is_stdout(o->cobertura) || is_stdout(o->json)))
        return true;
    nytp_output *output = nytp_output_open(o->common.output);
    if (output == NULL)
        return false;
    show_text(output, o, files);
    return nytp_output_commit(output) == 0;
}

static bool is_enough(const nytp_cover_counts *totals, enum nytp_cover_criterion criterion, double least)
{
    const nytp_cover_count count = totals->of[criterion];
    if ((double)count.seen * 100 >= least * (double)count.all)
        return true;
    nytp_say("%s %% of the %s have run, less than %g %%", cover_percent_of(count).text,
             nytp_cover_criteria[criterion], least);
    return false;
}

/* Shows what --diff and --only-by leave. Returns the exit status. */
static int report_on(const options *o, nytp_cover *cover, const cover_only_by *only)
{
    GPtrArray *files = nytp_cover_files(cover);
    if (o->only_by != NULL && !cover_only_by_keep(only, files))
        return NYTP_EXIT_FAILED;
    if (o->diff != NULL && !cover_keep_diff(files, o->diff))
        return NYTP_EXIT_USAGE;
    const int status = nytp_exit(show(o, files));
    const nytp_cover_counts totals = cover_totals_of(files, o->with_evals);
    const bool has_lines = is_enough(&totals, NYTP_COVER_LINES, o->least_lines),
               has_branches = is_enough(&totals, NYTP_COVER_BRANCHES, o->least_branches);
    return status == NYTP_EXIT_DONE && !(has_lines && has_branches) ? NYTP_EXIT_OVER : status;
}

static int report_of(const options *o, const GPtrArray *paths)
{
    cover_only_by only = o->only_by != NULL ? cover_only_by_new(o->only_by) : (cover_only_by){0};
    nytp_cover *cover =
        nytp_coverage_read(paths, &o->common, o->only_by != NULL ? cover_only_by_add : NULL, &only);
    const int status = cover != NULL ? report_on(o, cover, &only) : NYTP_EXIT_FAILED;
    cover_only_by_clear(&only);
    nytp_cover_free(cover);
    return status;
}

static int who(const options *o, const GPtrArray *paths)
{
    cover_who programs = {0};
    if (!cover_who_set(&programs, o->who))
        return nytp_wrong_usage("--who=%s: expected FILE:LINE", o->who);
    nytp_cover *cover = nytp_coverage_read(paths, &o->common, cover_who_add, &programs);
    const int status = cover != NULL ? cover_who_show(&programs, cover) : NYTP_EXIT_FAILED;
    cover_who_clear(&programs);
    nytp_cover_free(cover);
    return status;
}

static int report(const options *o, const nytp_operands *operands)
{
    g_autoptr(GPtrArray) paths = nytp_coverage_list(operands);
    if (paths == NULL)
        return NYTP_EXIT_FAILED;
    return o->who != NULL ? who(o, paths) : report_of(o, paths);
}

/* nytp_start() comes after the command has run, which would inherit what it sets. */
int main(int argc, char **argv)
{
    static const nytp_operands none = {0};
    options o = {.common = {.output = NULL}};
    nytp_operands operands;
    const int after_dashes = nytp_words_after_dashes(argc, argv);
    nytp_set_name("nytp-cover");
    int status = parse(&o, argc, argv, &operands);
    if (status < 0)
        status = NYTP_REFUSE({o.who != NULL || o.only_by != NULL,
                              "missing diff evals fail-under fail-under-branch lcov cobertura json",
                              "with --who and --only-by"},
                             {o.who != NULL, "output only-by", "with --who"});
    if (status >= 0)
        return status;
    const bool runs = cover_is_command(&operands, after_dashes == operands.count);
    const int of_command = runs ? cover_run(&operands) : 0;
    if (of_command < 0)
        return NYTP_EXIT_FAILED;
    nytp_start("nytp-cover", argv);
    status = report(&o, runs ? &none : &operands);
    return of_command != 0 ? of_command : status;
}
