/* nytp-tree: the calls of profiles as a tree, its chains joined; what dprofpp has is nytp-dprofpp's. */
#include "tree.h"

#include "cli/read.h"
#include "cli/say.h"
#include "cli/sibling.h"
#include "cli/start.h"

enum { TEXT, JSON };
static const char *const formats[] = {[TEXT] = "text", [JSON] = "json", NULL};

static int parse(tree_options *o, unsigned *format, unsigned *color, int argc, char **argv)
{
    const nytp_program program = {
        .about = "Shows the calls of Perl profiles as a tree.\n",
        .examples = "  nytp-tree nytprof.out\n"
                    "  nytp-tree --to=DBI::st::execute --rows=40\n",
        .operands = NYTP_PROFILES,
        .notes = "Options of nytp-dprofpp are taken, too: -S is its tree.\n",
        .letters_only = true,
        .others = "nytp-dprofpp",
    };
    const nytp_option table[] = {
        {0, "from", "SUB", "SUB and what it calls", .text = &o->from},
        {0, "to", "SUB", "SUB and its callers", .text = &o->to},
        NYTP_FOCUS_ROWS(o->focus, o->ignore),
        {'n', "rows", "N", "N rows; 0: all", .count = &o->rows, .least = 0},
        {0, "min", "LEAST", "leave out calls with less of the time: 1%, 10us", .min = &o->min},
        {0, "depth", "N", "leave out calls more than N deep", .count = &o->max_depth, .least = 1},
        {0, "format", "FORMAT", "how it is written", .word = format, .words = formats},
        {0, "wait", NULL, "times and shares with waiting, not of the work alone", .flag = &o->wait},
        NYTP_EVAL_FRAMES_ROW(o->common, NULL),
        NYTP_KINDS_ROW(o->common),
        NYTP_COLOR_ROW(*color, "string evals, kinds of memory as calls; colours"),
        NYTP_OUTPUT_ROW(o->common, "write to FILE, not to standard output"),
        NYTP_FILTER_ROWS(o->common),
        {0, "verbose", .flag = &o->common.verbose}, /* -v is dprofpp's */
        NYTP_DAMAGE_ROWS(o->common, "say what was read; cut, damaged"),
        NYTP_TABLE_END,
    };
    return nytp_options_parse(&program, table, argc, argv, &o->files);
}

/* A nytp_summary_show_fn. */
static bool show(void *options, const nytp_summary *s, const nytp_look *look, FILE *out)
{
    const tree_options *o = options;
    g_autofree char *why = NULL;
    tree_calls calls;
    if (nytp_profile_totals(s->profile).calls == 0)
        nytp_warn_no_calls();
    if (tree_calls_fill(&calls, o, s, &why)) {
        tree_marks marks = tree_marks_new(&calls, o);
        nytp_findings *findings = nytp_head_findings(s, &o->common.filters);
        nytp_head_write(s, findings, &o->files, o->wait, out);
        tree_rows_write(&calls, &marks, o, s, look, out);
        nytp_findings_free(findings);
        g_free(marks.of);
    } else {
        nytp_say("%s", why);
    }
    tree_calls_clear(&calls);
    return why == NULL;
}

int main(int argc, char **argv)
{
    enum { ROWS = 25 };
    tree_options options = {.rows = ROWS, .common = {.takes = NYTP_TAKES_MEASURE}};
    unsigned color = NYTP_COLOR_AUTO, format = TEXT;
    nytp_start("nytp-tree", argv);
    g_autofree char **words = g_memdup2(argv, (size_t)(argc + 1) * sizeof *argv); /* in their order */
    int status = parse(&options, &format, &color, argc, argv);
    if (status < 0)
        status = NYTP_REFUSE(
            {options.to != NULL, "from", "with --to"},
            {format == JSON, "focus ignore rows wait", "in JSON, which has all calls, and all time"});
    if (status < 0 && format == JSON)
        status = nytp_sibling_execute("nytp-dprofpp", words);
    if (status < 0)
        status = nytp_summary_show(&options.files,
                                   &(nytp_summary_options){.common = &options.common, .wants_stacks = true},
                                   color, true, show, &options);
    g_clear_pointer(&options.focus, g_regex_unref);
    g_clear_pointer(&options.ignore, g_regex_unref);
    return status;
}
