#include "table.h"

#include "base/str.h"
#include "export/json.h"

#include <string.h>

/* As compilers write messages: editors take "FILE:LINE: " for the place. */
static void write_text(const nytp_finding *f, FILE *out)
{
    if (f->path != NULL)
        fprintf(out, "%s:%u: ", f->path, f->path_line);
    fprintf(out, "%s (%s)\n", f->path != NULL ? f->without_place : f->text, nytp_rule_names[f->rule]);
}

static void write_texts(const nytp_findings *findings, FILE *out)
{
    const size_t count = nytp_findings_count(findings);
    for (size_t i = 0; i < count; i++)
        write_text(nytp_findings_get(findings, i), out);
    if (count == 0)
        fputs("Nothing stands out.\n", out);
}

static void put_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, ", \"%s\": ", key);
    nytp_json_string(out, nytp_str_of(text));
}

static void write_object(const table_view *v, const nytp_finding *f)
{
    FILE *out = v->out;
    nytp_sub sub;
    fprintf(out, "{\"rule\": \"%s\"", nytp_rule_names[f->rule]);
    put_text(out, "text", f->without_place);
    if (f->path != NULL) {
        put_text(out, "file", f->path);
        fprintf(out, ", \"line\": %u", f->path_line);
    }
    if (nytp_profile_sub(v->summary->profile, f->sub, &sub)) {
        g_autofree char *name = nytp_name_clean(sub.name);
        put_text(out, "sub", name);
    }
    if (f->values > 0)
        fprintf(out, ", \"values\": %.0f", f->values);
    else
        fprintf(out, ", \"%s\": %.9g", nytp_measure_base(&v->measure)->in_full,
                f->ticks / v->measure.ticks_per_base);
    fprintf(out, ", \"share\": %.4g, \"of\": \"%s\"}", f->share, f->share_of);
}

static void write_json(const table_view *v)
{
    const size_t count = nytp_findings_count(v->findings);
    fputs("{\"findings\": [", v->out);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ",\n" : "\n", v->out);
        write_object(v, nytp_findings_get(v->findings, i));
    }
    fputs("\n]}\n", v->out);
}

void table_findings_write(const table_view *v)
{
    if (v->options->form == NYTP_JSON)
        write_json(v);
    else
        write_texts(v->findings, v->out);
}
