#include "difference.h"

#include "../overview.h"
#include "../text.h"
#include "export/amount.h"
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
static const html_line_change *line_of(const html_report *r, const html_changes *changes,
                                       const html_cause *cause)
{
    const html_cause_name *name = &cause->names[0];
    if (cause->name_count == 0 || name->is_label || name->number < 0 || strcmp(cause->kind, "each") != 0)
        return NULL;
    const html_sub *sub = html_report_sub(r, (size_t)name->number);
    const html_line_change *found = NULL;
    double most = fabs(cause->ticks) / 2;
    NYTP_EACH(const html_line_change, line, changes->lines) {
        const double more = (line->value[NYTP_NEW] - line->value[NYTP_OLD]) * (cause->ticks > 0 ? 1 : -1);
        if (line->file < 0 || line->file != sub->file || line->line < sub->first_line ||
            line->line > sub->last_line || more < most)
            continue;
        most = more;
        found = line;
    }
    return found;
}

static void put_line(const html_report *r, const html_changes *changes, const html_cause *cause, FILE *out)
{
    const html_line_change *line = line_of(r, changes, cause);
    if (line != NULL)
        html_put(out, "<small>, most of it at <span data-file=\"%lld\" data-line=\"%u\">%s:%u</span></small>",
                 (long long)line->file, line->line,
                 html_short_path(html_report_file(r, (size_t)line->file)->name), line->line);
}

/* Of samples, a part of the time is that of the whole. */
static nytp_amount difference_of(const html_report *r, double ticks)
{
    nytp_amount a;
    if (!r->difference->by_share)
        return html_amount(r, ticks);
    snprintf(a.text, sizeof a.text, "%.2f %%", r->ticks > 0 ? 100 * ticks / (double)r->ticks : 0);
    return a;
}

char *html_causes_headline(const html_report *report, const html_changes *changes)
{
    const html_difference *d = report->difference;
    const bool is_bytes = nytp_measure_is_bytes(&report->measure);
    const double old = changes->whole[NYTP_OLD], more = changes->whole[NYTP_NEW] - old;
    if (d->by_share || !(old > 0))
        return NULL;
    if (changes->verdict == NYTP_VERDICT_CHANCE || more == 0)
        return g_strdup("No difference beyond chance");
    const char *word = more > 0 ? is_bytes ? "more" : "slower" : is_bytes ? "less" : "faster";
    const bool are_few =
        nytp_runs_are_few((size_t)d->sides[NYTP_OLD].count, (size_t)d->sides[NYTP_NEW].count);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "%s %s%s", nytp_amount_percent(fabs(more / old)).text, word,
                    are_few ? ", which may be chance" : "");
    NYTP_EACH(const html_cause, cause, changes->causes)
        if ((cause->ticks > 0) == (more > 0)) {
            g_string_append_printf(text, ": %s", cause->sentence);
            break;
        }
    html_use_micro_sign(text);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* A waterfall: each part of the difference begins where the one before ends. */
typedef struct waterfall {
    const html_report *report;
    const html_changes *changes;
    double whole, least, most; /* ticks: of all parts together, and between which the ends of parts are */
    double at;                 /* where the last one ended */
} waterfall;

static void put_fall(waterfall *w, double ticks, const char *class, FILE *out)
{
    const double from = fmin(w->at, w->at + ticks), scale = 100 / fmax(w->most - w->least, 1e-300);
    fprintf(out,
            "<span class=\"share %s\">%s%s</span> <span class=\"part\">%.0f %%</span><span class=\"fall\">"
            "<i class=\"%s\" style=\"margin-left:%.2f%%;width:%.2f%%\"></i></span> ",
            class, ticks > 0 ? "+" : "", difference_of(w->report, ticks).text,
            w->whole != 0 ? 100 * ticks / w->whole : 0, class, (from - w->least) * scale,
            fabs(ticks) * scale);
    w->at += ticks;
}

static waterfall begin_waterfall(const html_report *r, const html_changes *changes)
{
    waterfall w = {
        .report = r, .changes = changes, .whole = changes->whole[NYTP_NEW] - changes->whole[NYTP_OLD]};
    w.least = fmin(w.whole, 0);
    w.most = fmax(w.whole, 0);
    double at = 0;
    NYTP_EACH(const html_cause, cause, changes->causes) {
        at += cause->ticks;
        w.least = fmin(w.least, at);
        w.most = fmax(w.most, at);
    }
    return w;
}

/* What the causes leave, so that all rows are the difference, and that. */
static void put_rest(waterfall *w, FILE *out)
{
    const html_report *r = w->report;
    const double rest = w->whole - w->at;
    if (fabs(rest) >= 0.005 * fabs(w->whole)) {
        fputs("<li>", out);
        put_fall(w, rest, "chance", out);
        fputs("<span>the rest: other subs, chance, and what several of these have</span></li>\n", out);
    }
    w->at = 0;
    fputs("<li class=\"sum\">", out);
    put_fall(w, w->whole, "sum", out);
    fprintf(out, "<span>%s → %s</span></li>\n", difference_of(r, w->changes->whole[NYTP_OLD]).text,
            difference_of(r, w->changes->whole[NYTP_NEW]).text);
}

void html_causes_write(const html_report *report, const html_changes *changes, FILE *out)
{
    waterfall w = begin_waterfall(report, changes);
    html_put(out, "<h2>%s <small>shares of %s%s</small></h2>\n", report->difference->causes_heading,
             w.whole > 0 ? "+" : "", difference_of(report, w.whole).text);
    if (changes->causes->len == 0) {
        fprintf(out, "<p class=\"quiet\">No single cause explains 1 %% of the %s.</p>\n",
                report->measure.noun);
        return;
    }
    fputs("<ol>\n", out);
    NYTP_EACH(const html_cause, cause, changes->causes) {
        fprintf(out, "<li data-cause=\"%s\">", cause->kind);
        put_fall(&w, cause->ticks, cause->ticks > 0 ? "more" : "less", out);
        fputs("<span>", out);
        put_sentence(cause, out);
        put_line(report, changes, cause, out);
        fputs("</span></li>\n", out);
    }
    put_rest(&w, out);
    fputs("</ol>", out);
}
