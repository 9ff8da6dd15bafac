#include "columns.h"

#include "model/grow.h"
#include "model/measure.h"
#include "model/profile.h"

#include <inttypes.h>
#include <math.h>

cg_costs cg_costs_of(const cg_graph *g, uint32_t i)
{
    cg_costs c;
    for (int amount = 0; amount < CG_AMOUNTS; amount++)
        c.of[amount] = cg_graph_cost_of(g, i, amount);
    return c;
}

cg_costs cg_costs_sum(const cg_graph *g)
{
    cg_costs sum = {{0}};
    for (guint i = 0; i < g->costs->len; i++) {
        const cg_costs c = cg_costs_of(g, i);
        for (int e = 0; e < CG_AMOUNTS; e++)
            sum.of[e] += c.of[e];
    }
    return sum;
}

/* Columns that are all 0 are left out. */
static void choose(cg_columns *columns, const cg_graph *g)
{
    const cg_costs sum = cg_costs_sum(g);
    for (int e = 0; e < CG_AMOUNTS; e++)
        columns->shows[e] =
            e == CG_TIME || (sum.of[e] > 0 && (e != CG_WORK || (g->has_waits && g->profile->has_waited)));
}

/* Where waiting is not measured, and goes by the names of subs, its column is Waiting, and KCachegrind
 * computes Work. */
static void describe(const cg_columns *columns, const cg_graph *g, const char *unit, FILE *out)
{
    const nytp_measure measure = nytp_profile_measure(g->profile);
    const bool is_measured = g->profile->has_waited;
    const char *title = measure.title;
    const bool counts_statements = !nytp_measure_is_sampled(&measure);
    const char *const counts = counts_statements                 ? "Stmts"
                               : nytp_measure_is_bytes(&measure) ? "Blocks"
                                                                 : "Samples";
    g_autofree char *stmt_time = g_strdup_printf("Stmt%s", title);
    const struct {
        const char *name, *description;
    } events[CG_AMOUNTS] = {
        [CG_TIME] = {title, "in subs"},
        [CG_STATEMENTS] = {counts, counts_statements ? "Statements executed" : counts},
        [CG_STATEMENT_TIME] = {stmt_time, "in statements"},
        [CG_WORK] = {"Work", "Work in subs"},
        [CG_QUEUED] = {"Queued", "Queued for a processor in subs"},
        [CG_ASLEEP] = {is_measured ? "Asleep" : "Waiting",
                       is_measured ? "Asleep in subs" : "Waiting in subs"},
    };
    for (int e = 0; e < CG_AMOUNTS; e++) {
        if (!columns->shows[e])
            continue;
        fprintf(out, "event: %s : ", events[e].name);
        if (e == CG_TIME || e == CG_STATEMENT_TIME)
            fprintf(out, "%s ", title);
        fputs(events[e].description, out);
        if (e != CG_STATEMENTS)
            fprintf(out, " (%s)", unit);
        fputc('\n', out);
    }
    if (columns->shows[CG_ASLEEP] && !is_measured)
        fprintf(out, "event: Work = %s - Waiting : Work in subs (%s)\n", title, unit);
    fputs("events:", out);
    for (int e = 0; e < CG_AMOUNTS; e++)
        if (columns->shows[e])
            fprintf(out, " %s", events[e].name);
    fputc('\n', out);
}

/* The longest time in the file, in ticks. */
static double longest(const cg_graph *g)
{
    double time = 0, statement_time = 0, most = 0;
    NYTP_EACH(const cg_cost, cost, g->costs) {
        time += (double)cost->time_ticks;
        statement_time += (double)cost->statement_ticks;
    }
    NYTP_EACH(const cg_call, call, g->calls)
        most = MAX(most, (double)call->incl[CG_TIME]);
    return MAX(most, MAX(time, statement_time));
}

/* Times are written in nanoseconds if a tick is a whole number of them, so that nothing is rounded, and if
 * the longest time fits into 63 bits (292 years). Otherwise they are written in ticks. */
void cg_columns_begin(cg_columns *columns, const cg_graph *g, FILE *out)
{
    const nytp_measure measure = nytp_profile_measure(g->profile);
    const nytp_unit *smallest = nytp_measure_smallest(&measure);
    const double per_tick = smallest->per_base / measure.ticks_per_base;
    char unit[64];
    columns->units_per_tick = 1;
    if (per_tick >= 1 && per_tick <= smallest->per_base && per_tick == floor(per_tick) &&
        longest(g) * per_tick < 0x1p63) {
        columns->units_per_tick = (uint64_t)per_tick;
        g_strlcpy(unit, smallest->name, sizeof unit);
    } else
        snprintf(unit, sizeof unit, "ticks of 1/%.17g %s", measure.ticks_per_base,
                 nytp_measure_base(&measure)->name);
    fputs("positions: line\n", out);
    choose(columns, g);
    describe(columns, g, unit, out);
}

void cg_columns_put(const cg_columns *columns, const cg_costs *costs, FILE *out)
{
    for (int e = 0; e < CG_AMOUNTS; e++)
        if (columns->shows[e])
            fprintf(out, "%s%" PRIu64, e == 0 ? "" : " ",
                    costs->of[e] * (e == CG_STATEMENTS ? 1 : columns->units_per_tick));
    fputc('\n', out);
}
