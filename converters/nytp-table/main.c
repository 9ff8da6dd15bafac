/* nytp-table: tables of profiles: what takes the time, of what a row is, for people and for programs. */
#include "table.h"

#include "cli/start.h"

static const nytp_program program = {
    .about = "Shows what takes the time in Perl profiles, as tables.\n",
    .examples = "  nytp-table --by=requests nytprof.out\n"
                "  nytp-table --format=markdown >> \"$GITHUB_STEP_SUMMARY\"\n",
    .operands = NYTP_PROFILES,
};

static int parse(table_options *o, int argc, char **argv)
{
    nytp_common_options *common = &o->common;
    enum nytp_clock *clock = &common->dprof.clock;
    const nytp_option table[] = {
        {0, "by", "WHAT", "a row for each of them", .word = &o->by, .words = table_by_names},
        {0, "format", "FORMAT", "how it is written", .word = &o->form, .words = nytp_table_forms},
        {0, "sort", "COLUMN", "the largest in COLUMN first; -COLUMN: the smallest", .text = &o->sort},
        {'n', "rows", "N", "N rows; 0: all", .count = &o->rows, .least = 0},
        {0, "min", "LEAST", "leave out rows with less of the time: 1%, 10us", .min = &o->min},
        {0, "wait", NULL, "times and shares with waiting, not of the work alone", .flag = &o->wait},
        NYTP_COLOR_ROW(o->color, "colours"),
        NYTP_COMMON_ROWS(*common, "write to FILE, not to standard output"),
        NYTP_HIDDEN_ROWS,
        /* Those of nytp-tree, which leaves these tables to us. */
        {0, "findings", .word = &o->by, .value = TABLE_FINDINGS},
        {0, "processes", .word = &o->by, .value = TABLE_PROCESSES},
        {0, "markdown", .word = &o->form, .value = NYTP_MARKDOWN},
        {0, "json", .word = &o->form, .value = NYTP_JSON},
        {'r', "real", .word = clock, .value = NYTP_CLOCK_REAL},
        {'s', "system", .word = clock, .value = NYTP_CLOCK_SYSTEM},
        {'u', "user", .word = clock, .value = NYTP_CLOCK_USER},
        {'R', "anons", .flag = &common->dprof.number_anons},
        {0, "kinds", .flag = &common->filters.kinds},
        NYTP_TABLE_END,
    };
    return nytp_options_parse(&program, table, argc, argv, &o->files);
}

/* Returns -1 to go on, or the exit status. */
static int check(table_options *o)
{
    enum { ROWS = 25 };
    const bool is_data = o->form == NYTP_CSV || o->form == NYTP_JSON;
    if (is_data && o->by == TABLE_SUMMARY)
        o->by = TABLE_SUBS; /* programs take one table */
    if (!nytp_options_given("rows"))
        o->rows = is_data ? 0 : ROWS;
    o->wait |= o->form == NYTP_MARKDOWN;
    o->common.takes = o->by == TABLE_PROCESSES ? NYTP_TAKES_TIME : NYTP_TAKES_MEASURE;
    const bool is_findings = o->by == TABLE_FINDINGS;
    return NYTP_REFUSE({o->by == TABLE_SUMMARY || o->by >= TABLE_PROCESSES, "rows sort min wait",
                        "without --by=subs, lines, requests or labels"},
                       {o->by == TABLE_PROCESSES, "findings no-labels kinds", "on processes"},
                       {is_findings, "processes", "on findings"},
                       {is_findings && o->form != NYTP_TEXT && o->form != NYTP_JSON, NULL,
                        "findings have no columns: --format is text or json"});
}

/* Whether rows of lines may have their text beside them. */
static bool wants_source(const table_options *o)
{
    return o->form == NYTP_TEXT && (o->by == TABLE_LINES || o->by == TABLE_SUMMARY);
}

int main(int argc, char **argv)
{
    table_options options = {0};
    nytp_start("nytp-table", argv);
    int status = parse(&options, argc, argv);
    if (status < 0)
        status = check(&options);
    return status >= 0 ? status
                       : nytp_summary_show(&options.files,
                                           &(nytp_summary_options){.common = &options.common,
                                                                   .wants_stacks = true,
                                                                   .wants_source = wants_source(&options)},
                                           options.color, options.form == NYTP_TEXT, table_show, &options);
}
