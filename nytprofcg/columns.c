#include "columns.h"

#include "model/grow.h"
#include "model/measure.h"
#include "model/profile.h"

#include <inttypes.h>
#include <math.h>

void cg_costs_sum(const cg_graph *g, uint64_t sum[CG_AMOUNTS])
{
    memset(sum, 0, CG_AMOUNTS * sizeof *sum);
    NYTP_EACH(const cg_cost, cost, g->costs)
        for (int e = 0; e < g->amounts; e++)
            sum[e] += cg_cost_of(g, cost, (enum cg_amount)e);
}

/* Columns that are all 0 are left out. */
static void choose(cg_columns *columns, const cg_graph *g)
{
    uint64_t sum[CG_AMOUNTS];
    cg_costs_sum(g, sum);
    for (int e = 0; e < CG_AMOUNTS; e++)
        columns->shows[e] =
            e == CG_TIME || (sum[e] > 0 && (e != CG_WORK || (g->has_waits && g->profile->has_waited)));
}

/* The longest time in the file, in ticks, or the most bytes, given the first amount of these. */
static double longest(const cg_graph *g, enum cg_amount first)
{
    const enum cg_amount of_statements = first + CG_STATEMENT_TIME;
    double time = 0, statement_time = 0, most = 0;
    NYTP_EACH(const cg_cost, cost, g->costs) {
        time += (double)cg_cost_of(g, cost, first);
        statement_time += (double)cg_cost_of(g, cost, of_statements);
    }
    NYTP_EACH(const cg_call, call, g->calls)
        most = MAX(most, (double)call->incl[first]);
    return MAX(most, MAX(time, statement_time));
}

/* Returns how many of the smallest units a tick is, which unit names then: times are written in nanoseconds
 * if a tick is a whole number of them, so that nothing is rounded, and if the longest time fits into 63 bits
 * (292 years). Otherwise they are written in ticks. */
static uint64_t units_per_tick(const nytp_measure *measure, double longest_ticks, char unit[static 64])
{
    const nytp_unit *smallest = nytp_measure_smallest(measure);
    const double per_tick = smallest->per_base / measure->ticks_per_base;
    if (per_tick >= 1 && per_tick <= smallest->per_base && per_tick == floor(per_tick) &&
        longest_ticks * per_tick < 0x1p63) {
        g_strlcpy(unit, smallest->name, 64);
        return (uint64_t)per_tick;
    }
    snprintf(unit, 64, "ticks of 1/%.17g %s", measure->ticks_per_base, nytp_measure_base(measure)->name);
    return 1;
}

/* Returns the name of a view of memory, if there are others of memory, or else "". */
static const char *name_among_others(const cg_graph *g, const cg_view *view)
{
    const nytp_measure first = nytp_profile_measure(g->profile), own = nytp_profile_measure(view->profile);
    const guint of_time = nytp_measure_is_bytes(&first) ? 0 : 1;
    return nytp_measure_is_bytes(&own) && g->views->len > of_time + 1 ? view->name : "";
}

/* Sets the names of the first three amounts of a view, and writes those that are shown. */
static void describe_view(cg_columns *columns, const cg_graph *g, uint32_t number, char *names[CG_AMOUNTS],
                          char unit[static 64], FILE *out)
{
    const cg_view *view = &g_array_index(g->views, cg_view, number);
    const enum cg_amount first = cg_first_amount(number);
    const nytp_measure measure = nytp_profile_measure(view->profile);
    const char *name = name_among_others(g, view);
    g_autofree char *prefix = g_strcanon(g_strdup(name), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS, '_'),
                    *of = g_strdelimit(g_strconcat(*name != '\0' ? ", " : "", name, NULL), "=:", ' ');
    *prefix = g_ascii_toupper(*prefix); /* "At_3_2s" */
    const bool counts_statements = !nytp_measure_is_sampled(&measure);
    const char *const counts = counts_statements                 ? "Stmts"
                               : nytp_measure_is_bytes(&measure) ? "Blocks"
                                                                 : "Samples";
    const enum cg_amount count = first + CG_STATEMENTS, of_statements = first + CG_STATEMENT_TIME;
    columns->units[first] = columns->units[of_statements] = units_per_tick(&measure, longest(g, first), unit);
    names[first] = g_strconcat(prefix, measure.title, NULL);
    names[count] = g_strconcat(prefix, counts, NULL);
    names[of_statements] = g_strconcat(prefix, "Stmt", measure.title, NULL);
    if (columns->shows[first])
        fprintf(out, "event: %s : %s in subs%s (%s)\n", names[first], measure.title, of, unit);
    if (columns->shows[count])
        fprintf(out, "event: %s : %s%s\n", names[count], counts_statements ? "Statements executed" : counts,
                of);
    if (columns->shows[of_statements])
        fprintf(out, "event: %s : %s in statements%s (%s)\n", names[of_statements], measure.title, of, unit);
}

/* Where waiting is not measured, and goes by the names of subs, its column is Waiting, and KCachegrind
 * computes Work. */
static void describe_parts(cg_columns *columns, const cg_graph *g, char *names[CG_AMOUNTS], const char *unit,
                           FILE *out)
{
    const bool is_measured = g->profile->has_waited;
    static const char *const in_words[] = {"Work", "Queued for a processor", "Asleep"};
    static const char *const short_names[] = {"Work", "Queued", "Asleep"};
    for (int e = CG_WORK; e <= CG_ASLEEP; e++) {
        const bool is_guessed = e == CG_ASLEEP && !is_measured;
        columns->units[e] = columns->units[CG_TIME];
        names[e] = g_strdup(is_guessed ? "Waiting" : short_names[e - CG_WORK]);
        if (columns->shows[e])
            fprintf(out, "event: %s : %s in subs (%s)\n", names[e],
                    is_guessed ? "Waiting" : in_words[e - CG_WORK], unit);
    }
    if (columns->shows[CG_ASLEEP] && !is_measured)
        fprintf(out, "event: Work = %s - Waiting : Work in subs (%s)\n", names[CG_TIME], unit);
}

void cg_columns_begin(cg_columns *columns, const cg_graph *g, FILE *out)
{
    char unit[64], *names[CG_AMOUNTS] = {NULL};
    for (int e = 0; e < CG_AMOUNTS; e++)
        columns->units[e] = 1;
    fputs("positions: line\n", out);
    choose(columns, g);
    for (uint32_t view = 0; view < g->views->len; view++) {
        describe_view(columns, g, view, names, unit, out);
        if (view == 0)
            describe_parts(columns, g, names, unit, out);
    }
    fputs("events:", out);
    for (int e = 0; e < CG_AMOUNTS; e++) {
        if (columns->shows[e])
            fprintf(out, " %s", names[e]);
        g_free(names[e]);
    }
    fputc('\n', out);
}

void cg_columns_put(const cg_columns *columns, const uint64_t costs[CG_AMOUNTS], FILE *out)
{
    for (int e = 0; e < CG_AMOUNTS; e++)
        if (columns->shows[e])
            fprintf(out, "%s%" PRIu64, e == 0 ? "" : " ", costs[e] * columns->units[e]);
    fputc('\n', out);
}
