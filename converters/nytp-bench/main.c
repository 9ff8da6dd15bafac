/* nytp-bench: whether a program became slower, from runs of both versions in turns. */
#include "bench.h"

#include "cli/sibling.h"
#include "cli/output.h"
#include "cli/say.h"
#include "model/grow.h"

#include <glib.h>
#include <string.h>

static void add_profiles(GPtrArray *arguments, const bench_pairs *pairs, enum nytp_side side)
{
    NYTP_EACH(const bench_pair, pair, pairs->all) {
        const bench_run *run = &pair->run[side];
        g_ptr_array_add(arguments, g_build_filename(run->directory, "nytprof.out", NULL));
    }
}

/* Returns the lines that have columns. Notes are sentences. */
static char *table_of(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    GString *table = g_string_new(NULL);
    for (char **line = lines; *line != NULL; line++)
        if (strstr(*line, "  ") != NULL)
            g_string_append_printf(table, "%s\n", *line);
    return g_string_free(table, FALSE);
}

/* Returns the table of nytp-diff, for g_free(), or NULL if nothing differs, or if it has failed. */
static char *where_of(const bench_place *place, const bench_pairs *pairs, const bench_verdict *v)
{
    const bool same = v->is_chance && v->calls.median[NYTP_OLD] == v->calls.median[NYTP_NEW] &&
                      v->statements.median[NYTP_OLD] == v->statements.median[NYTP_NEW];
    if (same)
        return NULL;
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *result = g_build_filename(place->temporary, "where", NULL);
    g_autofree char *text = NULL;
    g_ptr_array_add(arguments, g_strdup("nytp-diff"));
    g_ptr_array_add(arguments, g_strdup("--rows=8"));
    g_ptr_array_add(arguments, g_strconcat("--output=", result, NULL));
    add_profiles(arguments, pairs, NYTP_OLD);
    g_ptr_array_add(arguments, g_strdup("--"));
    add_profiles(arguments, pairs, NYTP_NEW);
    g_ptr_array_add(arguments, NULL);
    const bool done = nytp_sibling_run((const char *const *)arguments->pdata) &&
                      g_file_get_contents(result, &text, NULL, NULL);
    return done ? table_of(text) : NULL;
}

/* Runs pairs until they say whether NEW is slower. */
static bool measure_pairs(const bench_options *o, const bench_place *place, bench_pairs *pairs,
                          bench_verdict *verdict)
{
    for (int look = 0; look < BENCH_LOOKS; look++) {
        if (!bench_pairs_measure(o, place, pairs, o->runs << look))
            return false;
        *verdict = bench_verdict_of(pairs, o->limit, look);
        if (!bench_verdict_is_in_doubt(verdict, o->limit))
            break;
    }
    return true;
}

/* What is printed comes last: it may end the program if nobody reads it. */
static int measure(const bench_options *o)
{
    bench_place place;
    bench_pairs pairs = bench_pairs_new();
    bench_verdict verdict = {.p = 1};
    char *where = NULL;
    nytp_job_catch_signals();
    const bool done = bench_place_begin(&place, o->baseline) && measure_pairs(o, &place, &pairs, &verdict);
    if (done)
        where = o->json ? NULL : where_of(&place, &pairs, &verdict);
    bench_place_end(&place);
    nytp_job_end_by_signal();
    nytp_output *output = done ? nytp_output_open(NULL) : NULL;
    int rc = -1;
    if (output != NULL) {
        const nytp_look look = nytp_look_of(NULL, NYTP_COLOR_NEVER);
        if (o->json)
            bench_write_json(&verdict, &pairs, o, nytp_output_stream(output));
        else
            bench_write_text(&verdict, &pairs, o, where, nytp_output_text(output, &look));
        rc = nytp_output_commit(output);
    }
    g_free(where);
    bench_pairs_clear(&pairs);
    return rc == 0 ? bench_verdict_status(&verdict, o) : NYTP_EXIT_FAILED;
}

/* git bisect run takes 125 for a commit that cannot be judged. */
static int for_bisect(int status)
{
    enum { CANNOT_BE_JUDGED = 125, IS_BAD = 1 };
    return status == NYTP_EXIT_DONE ? status : status == NYTP_EXIT_OVER ? IS_BAD : CANNOT_BE_JUDGED;
}

/* Does not call nytp_start(), because what it changes would reach the programs that are run. */
int main(int argc, char **argv)
{
    const bool bisects = bench_command_bisects(argc, argv);
    bench_options options;
    nytp_set_name("nytp-bench");
    int status = bench_command_parse(&options, argc, argv);
    if (status < 0)
        status = measure(&options);
    bench_command_clear(&options);
    return bisects ? for_bisect(status) : status;
}
