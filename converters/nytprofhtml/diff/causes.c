#include "difference.h"

#include "../overview.h"
#include "../text.h"
#include "findings/causes.h"
#include "model/grow.h"

#include <math.h>
#include <string.h>

static void clear_cause(gpointer cause)
{
    g_free(((html_cause *)cause)->sentence);
}

GArray *html_causes_new(nytp_comparison *comparison, const int64_t *subs, const int64_t *labels, double unit)
{
    GArray *all = NYTP_ZEROED_ARRAY(html_cause);
    g_autoptr(GArray) found = nytp_causes_new(comparison);
    g_array_set_clear_func(all, clear_cause);
    NYTP_EACH(const nytp_cause, from, found) {
        const nytp_cause_text text = nytp_cause_say(comparison, from);
        html_cause cause = {.kind = nytp_cause_kinds[from->kind],
                            .ticks = from->amount * unit,
                            .name_count = text.name_count};
        for (size_t n = 0; n < text.name_count; n++) {
            const nytp_cause_name *name = &text.names[n];
            const bool is_label = name->label != SIZE_MAX;
            cause.names[n] = (html_cause_name){name->at, name->length, is_label,
                                               is_label ? labels[name->label] : subs[name->sub]};
        }
        cause.sentence = g_string_free(text.sentence, FALSE);
        g_array_append_val(all, cause);
    }
    return all;
}

static void put_part(const char *text, size_t length, FILE *out)
{
    g_autoptr(GString) part = g_string_new_len(text, (gssize)length);
    html_use_micro_sign(part);
    html_put(out, "%s", part->str);
}

/* The script makes links of the names. */
static void put_sentence(const html_cause *cause, FILE *out)
{
    size_t at = 0;
    for (size_t n = 0; n < cause->name_count; n++) {
        const html_cause_name *name = &cause->names[n];
        g_autofree char *text = g_strndup(cause->sentence + name->at, name->length);
        put_part(cause->sentence + at, name->at - at, out);
        if (name->number >= 0)
            fprintf(out, "<span data-%s=\"%lld\">", name->is_label ? "label" : "sub",
                    (long long)name->number);
        html_put(out, name->number >= 0 ? "%s</span>" : "%s", text);
        at = name->at + name->length;
    }
    put_part(cause->sentence + at, strlen(cause->sentence + at), out);
}

/* Returns the line of a sub that most of a cause is in, or NULL if no line has most of it. */
static const html_line_change *line_of(const html_report *r, const html_cause *cause)
{
    const html_cause_name *name = &cause->names[0];
    if (cause->name_count == 0 || name->is_label || name->number < 0 || strcmp(cause->kind, "each") != 0)
        return NULL;
    const html_sub *sub = html_report_sub(r, (size_t)name->number);
    const html_line_change *found = NULL;
    double most = fabs(cause->ticks) / 2;
    NYTP_EACH(const html_line_change, line, r->difference->lines) {
        const double more = (line->value[NYTP_NEW] - line->value[NYTP_OLD]) * (cause->ticks > 0 ? 1 : -1);
        if (line->file < 0 || line->file != sub->file || line->line < sub->first_line ||
            line->line > sub->last_line || more < most)
            continue;
        most = more;
        found = line;
    }
    return found;
}

static void put_line(const html_report *r, const html_cause *cause, FILE *out)
{
    const html_line_change *line = line_of(r, cause);
    if (line != NULL)
        html_put(out, "<small>, most of it at <span data-file=\"%lld\" data-line=\"%u\">%s:%u</span></small>",
                 (long long)line->file, line->line,
                 html_short_path(html_report_file(r, (size_t)line->file)->name), line->line);
}

/* Of samples, a part of the time is that of the whole. */
static nytp_amount difference_of(const html_report *r, const html_cause *cause)
{
    nytp_amount a;
    if (!r->difference->by_share)
        return html_amount(r, cause->ticks);
    snprintf(a.text, sizeof a.text, "%.2f %%", r->ticks > 0 ? 100 * cause->ticks / (double)r->ticks : 0);
    return a;
}

void html_causes_write(const html_report *report, FILE *out)
{
    const GArray *causes = report->difference->causes;
    html_put(out, "<section id=\"causes\"><h2>%s</h2>\n", report->difference->causes_heading);
    if (causes->len == 0)
        fprintf(out, "<p class=\"quiet\">No single cause explains 1 %% of the %s.</p>\n",
                report->measure.noun);
    else
        fputs("<ol>\n", out);
    NYTP_EACH(const html_cause, cause, causes) {
        const bool is_more = cause->ticks > 0;
        fprintf(out, "<li data-cause=\"%s\"><span class=\"share %s\">%s%s</span> <span>", cause->kind,
                is_more ? "more" : "less", is_more ? "+" : "", difference_of(report, cause).text);
        put_sentence(cause, out);
        put_line(report, cause, out);
        fputs("</span></li>\n", out);
    }
    fputs(causes->len > 0 ? "</ol></section>\n" : "</section>\n", out);
}
