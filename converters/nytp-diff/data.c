#include "diff.h"

#include "compare/comparison.h"
#include "export/csv.h"
#include "export/json.h"
#include "model/grow.h"

#include <math.h>
#include <string.h>

static const char *const verdicts[] = {[NYTP_VERDICT_NONE] = "same",
                                       [NYTP_VERDICT_EXACT] = "exact",
                                       [NYTP_VERDICT_MORE] = "significant",
                                       [NYTP_VERDICT_CHANCE] = "chance",
                                       [NYTP_VERDICT_UNTESTED] = "untested"};

static const char *presence(const nytp_change *c)
{
    return !c->is_in[NYTP_OLD] ? "new" : !c->is_in[NYTP_NEW] ? "gone" : c->is_sum ? "sum" : "both";
}

static void csv_number(nytp_csv *c, double number)
{
    char text[32] = "";
    if (isfinite(number))
        snprintf(text, sizeof text, "%.9g", number);
    nytp_csv_text(c, text);
}

static void csv_change(nytp_csv *c, const nytp_change *change)
{
    NYTP_EACH_SIDE(side) {
        csv_number(c, change->median[side]);
        csv_number(c, change->spread[side]);
    }
    csv_number(c, change->difference);
    csv_number(c, change->p);
    nytp_csv_text(c, verdicts[change->verdict]);
}

static void csv_row(nytp_csv *c, const diff_row *row)
{
    nytp_csv_text(c, row->name);
    nytp_csv_text(c, presence(&row->value));
    csv_change(c, &row->value);
    csv_number(c, row->percent);
    csv_change(c, &row->calls);
    nytp_csv_end_row(c);
}

void diff_csv_write(const diff_rows *rows, FILE *out)
{
    nytp_csv c = {.out = out};
    nytp_csv_head(&c, "name,presence,old,old_spread,new,new_spread,difference,p,verdict,percent,"
                      "old_calls,old_calls_spread,new_calls,new_calls_spread,calls_difference,calls_p,"
                      "calls_verdict");
    csv_row(&c, &rows->whole);
    NYTP_EACH(diff_row, row, rows->all)
        csv_row(&c, row);
}

/* Another member follows. */
static void json_number(FILE *out, const char *key, double number)
{
    fprintf(out, isfinite(number) ? "\"%s\": %.9g, " : "\"%s\": null, ", key, number);
}

static void json_change(FILE *out, const char *key, const nytp_change *change)
{
    fprintf(out, "\"%s\": {", key);
    json_number(out, "old", change->median[NYTP_OLD]);
    json_number(out, "old_spread", change->spread[NYTP_OLD]);
    json_number(out, "new", change->median[NYTP_NEW]);
    json_number(out, "new_spread", change->spread[NYTP_NEW]);
    json_number(out, "difference", change->difference);
    json_number(out, "p", change->p);
    fprintf(out, "\"verdict\": \"%s\"}", verdicts[change->verdict]);
}

static void json_row(FILE *out, const diff_row *row)
{
    fputs("{\"name\": ", out);
    nytp_json_string(out, (nytp_str){row->name, strlen(row->name), true});
    fprintf(out, ", \"presence\": \"%s\", ", presence(&row->value));
    json_number(out, "percent", row->percent);
    json_change(out, "value", &row->value);
    fputs(", ", out);
    json_change(out, "calls", &row->calls);
    fputc('}', out);
}

/* A member of an object, and what separates it from the one before. */
static void json_causes(const diff_rows *rows, FILE *out)
{
    if (!rows->options->explain)
        return;
    fputs(",\n \"causes\": [", out);
    for (guint i = 0; i < rows->causes->len; i++) {
        const diff_cause *cause = &g_array_index(rows->causes, diff_cause, i);
        fprintf(out, "%s{\"kind\": \"%s\", \"difference\": %.9g, \"sentence\": ", i > 0 ? ",\n  " : "\n  ",
                cause->kind, cause->amount);
        nytp_json_string(out, (nytp_str){cause->sentence, strlen(cause->sentence), true});
        fputc('}', out);
    }
    fputc(']', out);
}

void diff_json_write(const diff_rows *rows, FILE *out)
{
    fprintf(
        out,
        "{\"old_runs\": %zu, \"new_runs\": %zu, \"old_busy\": %.3g, \"new_busy\": %.3g, \"times\": \"%s\",\n"
        " \"whole\": ",
        rows->runs[NYTP_OLD], rows->runs[NYTP_NEW], rows->busy_share[NYTP_OLD], rows->busy_share[NYTP_NEW],
        rows->by_share ? "shares" : nytp_measure_base(rows->measure)->in_full);
    json_row(out, &rows->whole);
    json_causes(rows, out);
    fputs(",\n \"rows\": [", out);
    for (guint i = 0; i < rows->all->len; i++) {
        fputs(i > 0 ? ",\n  " : "\n  ", out);
        json_row(out, &g_array_index(rows->all, diff_row, i));
    }
    fputs("]}\n", out);
}
