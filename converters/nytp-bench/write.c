#include "bench.h"

#include "export/amount.h"
#include "model/states.h"

#include <math.h>
#include <string.h>

static nytp_amount amount_s(double seconds)
{
    const nytp_measure measure = nytp_measure_new();
    return nytp_amount_measured(&measure, seconds);
}

static void put_row(const char *name, const char *old, const char *new, const char *change, FILE *out)
{
    fprintf(out, "%-16s %14s %14s%s%s\n", name, old, new, *change != '\0' ? "  " : "", change);
}

/* "+10.6 %", "~" if chance can explain it, "same" */
static nytp_amount change_of(double change, bool is_chance)
{
    nytp_amount a;
    if (is_chance || change == 0)
        snprintf(a.text, sizeof a.text, "%s", is_chance ? "~" : "same");
    else
        snprintf(a.text, sizeof a.text, "%+.1f %%", fmin(100 * change, 99999));
    return a;
}

static void put_number(const char *name, const bench_number *n, FILE *out)
{
    const double old = n->median[NYTP_OLD], new = n->median[NYTP_NEW];
    const double change = old == new ? 0 : old > 0 ? new / old - 1 : 1;
    const nytp_amount changed = change_of(change, false);
    g_autofree char *text = g_strconcat(changed.text, n->varies ? ", varies between runs" : "", NULL);
    put_row(name, nytp_amount_count(old).text, nytp_amount_count(new).text, text, out);
}

static void put_command(const char *name, char **command, const char *where, FILE *out)
{
    g_autofree char *line = g_strjoinv(" ", command);
    char *clean = nytp_name_clean((nytp_str){line, strlen(line), true});
    fprintf(out, "%s: %s%s%s\n", name, clean, where != NULL ? ", in " : "", where != NULL ? where : "");
    free(clean);
}

static void put_verdict(const bench_verdict *v, const bench_options *o, FILE *out)
{
    const double limit = 100 * o->limit, change = 100 * v->change;
    if (v->is_slower)
        fprintf(out, "NEW is slower by %.1f %%; the limit is %g %%.\n", change, limit);
    else if (v->is_chance)
        fputs("NEW is not slower: chance can explain the difference.\n", out);
    else if (v->change > 0)
        fprintf(out, "NEW takes %.1f %% more, which is within the limit of %g %%.\n", change, limit);
    else
        fprintf(out, "NEW is faster by %.1f %%.\n", -change);
    if (o->fail_calls && v->calls.grew)
        fputs("NEW makes more calls.\n", out);
    if (o->fail_calls && v->statements.grew)
        fputs("NEW executes more statements.\n", out);
}

void bench_write_text(const bench_verdict *v, const bench_pairs *pairs, const bench_options *o,
                      const char *where, FILE *out)
{
    put_command("OLD", o->commands[NYTP_OLD], o->baseline, out);
    put_command("NEW", o->commands[NYTP_NEW], NULL, out);
    put_row("", "OLD", "NEW", "", out);
    g_autofree char *change = g_strdup_printf("%s, p = %.2g, %u pairs of runs",
                                              change_of(v->change, v->is_chance).text, v->p, pairs->all->len);
    put_row(o->wall ? "time" : "processor time", amount_s(v->taken_s[NYTP_OLD]).text,
            amount_s(v->taken_s[NYTP_NEW]).text, change, out);
    put_number("calls", &v->calls, out);
    put_number("statements", &v->statements, out);
    if (v->busy_share >= NYTP_BUSY_SHARE || pairs->repeated > 0)
        fprintf(out, "The machine was busy: for %.0f %% of the time. %u %s repeated.\n", 100 * v->busy_share,
                pairs->repeated, pairs->repeated == 1 ? "pair of runs was" : "pairs of runs were");
    put_verdict(v, o, out);
    if (where != NULL)
        fprintf(out, "\nWhat changed in the profiles:\n%s", where);
}

static void json_sides(const char *name, const double values[NYTP_SIDES], FILE *out)
{
    fprintf(out, "\"old_%s\": %.9g, \"new_%s\": %.9g, ", name, values[NYTP_OLD], name, values[NYTP_NEW]);
}

static const char *truth(bool is)
{
    return is ? "true" : "false";
}

void bench_write_json(const bench_verdict *v, const bench_pairs *pairs, const bench_options *o, FILE *out)
{
    fprintf(out, "{\"measure\": \"%s\", ", o->wall ? "time" : "processor time");
    json_sides("seconds", v->taken_s, out);
    fprintf(out, "\"change\": %.6g, \"p\": %.6g, \"limit\": %g, \"slower\": %s,\n ", v->change, v->p,
            o->limit, truth(v->is_slower));
    json_sides("calls", v->calls.median, out);
    json_sides("statements", v->statements.median, out);
    fprintf(out,
            "\"more_calls\": %s, \"more_statements\": %s,\n \"busy\": %.3g, \"repeated\": %u, \"pairs\": [",
            truth(v->calls.grew), truth(v->statements.grew), v->busy_share, pairs->repeated);
    for (guint i = 0; i < pairs->all->len; i++) {
        const bench_pair *pair = &g_array_index(pairs->all, bench_pair, i);
        fprintf(out, "%s[%.6f, %.6f]", i > 0 ? ", " : "", pair->run[NYTP_OLD].taken_s,
                pair->run[NYTP_NEW].taken_s);
    }
    fputs("]}\n", out);
}
