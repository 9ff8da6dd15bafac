#include "diff.h"

#include "base/str.h"
#include "compare/comparison.h"
#include "export/json.h"
#include "findings/causes.h"
#include "model/grow.h"

#include <math.h>
#include <string.h>

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
    fprintf(out, "\"verdict\": \"%s\"}", diff_verdict(change));
}

static void json_row(FILE *out, const diff_row *row)
{
    fputs("{\"name\": ", out);
    nytp_json_string(out, nytp_str_of(row->name));
    fprintf(out, ", \"presence\": \"%s\", ", diff_presence(&row->value));
    json_number(out, "percent", row->percent);
    json_change(out, "value", &row->value);
    fputs(", ", out);
    json_change(out, "calls", &row->calls);
    fputc('}', out);
}

/* A member of an object, and what separates it from the one before. */
static void json_causes(const diff_rows *rows, FILE *out)
{
    if (rows->causes == NULL)
        return;
    fputs(",\n \"causes\": [", out);
    const char *before = "\n  ";
    NYTP_EACH(const nytp_cause, cause, rows->causes) {
        g_autoptr(GString) sentence = nytp_cause_say(rows->comparison, cause).sentence;
        fprintf(out, "%s{\"kind\": \"%s\", \"difference\": %.9g, \"sentence\": ", before,
                nytp_cause_kinds[cause->kind], cause->amount);
        nytp_json_string(out, nytp_str_of(sentence->str));
        fputc('}', out);
        before = ",\n  ";
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
    const char *before = "\n  ";
    NYTP_EACH(const diff_row, row, rows->all) {
        fputs(before, out);
        json_row(out, row);
        before = ",\n  ";
    }
    fputs("]}\n", out);
}
