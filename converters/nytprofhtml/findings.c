#include "overview.h"

#include "model/grow.h"

#include "text.h"

#include <string.h>

enum { MOST = 4 };

/* Whether a finding is about a sub as a whole, wherever it is called. */
static bool is_of_sub(const nytp_finding *f)
{
    return f->rule == NYTP_FOUND_EXCEPTIONS || f->rule == NYTP_FOUND_RECURSION ||
           f->rule == NYTP_FOUND_FIRST_CALL || f->rule == NYTP_FOUND_MAGIC || f->rule == NYTP_FOUND_HOLDER;
}

/* Writes where the sentence leads, if anywhere: the label of a sub, the place, or the sub. */
static void put_target(const html_report *r, const nytp_finding *f, FILE *out)
{
    const int64_t file = f->fid != 0 ? html_report_file_number(r, f->fid) : -1;
    const bool has_sub = f->sub != UINT32_MAX; /* subs have the profile's numbers */
    if (f->rule == NYTP_FOUND_COMPILED_CODE || f->rule == NYTP_FOUND_ARENAS)
        fprintf(out, " data-kind=\"%s\"", f->rule == NYTP_FOUND_ARENAS ? "value heads" : "code");
    else if (has_sub &&
             (f->rule == NYTP_FOUND_QUERIES || f->rule == NYTP_FOUND_SPAN || f->rule == NYTP_FOUND_GROWTH))
        fprintf(out, " data-label-of=\"%u\"", f->sub);
    else if (file >= 0 && f->line > 0 && !(has_sub && is_of_sub(f)))
        fprintf(out, " data-file=\"%lld\" data-line=\"%u\"", (long long)file, f->line);
    else if (has_sub)
        fprintf(out, " data-sub=\"%u\"", f->sub);
}

/* Whether the two count some of the same time: they are about one line, where waiting is not work, or about
 * calls of one sub of which one has all. */
static bool overlap(const nytp_finding *a, const nytp_finding *b)
{
    const bool same_line = a->line != 0 && a->line == b->line && a->fid == b->fid;
    const bool waits = a->rule == NYTP_FOUND_WAITING || b->rule == NYTP_FOUND_WAITING;
    return (same_line && !waits) ||
           (a->sub != UINT32_MAX && a->sub == b->sub && (is_of_sub(a) || is_of_sub(b)));
}

/* Returns the indexes of the findings that are shown. */
static GArray *chosen(const nytp_findings *findings)
{
    GArray *shown = NYTP_ARRAY(size_t);
    const size_t count = nytp_findings_count(findings);
    for (size_t i = 0; i < count && shown->len < MOST; i++) {
        bool is_new = true;
        for (guint k = 0; k < shown->len && is_new; k++)
            is_new = !overlap(nytp_findings_get(findings, g_array_index(shown, size_t, k)),
                              nytp_findings_get(findings, i));
        if (is_new)
            g_array_append_val(shown, i);
    }
    return shown;
}

/* Returns the sentence as the page shows it, with short paths, and without its share, which stands before it.
 */
static GString *shown_text(const html_report *r, const nytp_finding *f)
{
    GString *shown = g_string_new_len(f->text, (gssize)f->share_at);
    NYTP_EACH(const html_file, file, r->files) {
        const char *name = file->name, *end = html_short_path(name);
        if (end != name)
            g_string_replace(shown, name, end, 0);
    }
    html_use_micro_sign(shown);
    return shown;
}

void html_findings_write(const html_report *report, FILE *out)
{
    if (nytp_findings_count(report->findings) == 0)
        return;
    g_autoptr(GArray) shown = chosen(report->findings);
    fputs("<section id=\"findings\"><h2>What stands out</h2>\n<ol>\n", out);
    NYTP_EACH(const size_t, number, shown) {
        const nytp_finding *f = nytp_findings_get(report->findings, *number);
        fprintf(out, "<li data-rule=\"%s\"><span class=\"share\" title=\"%s\">%s</span> <span",
                nytp_rule_names[f->rule], f->text + f->share_at + strlen(", "),
                nytp_amount_percent(f->share).text);
        put_target(report, f, out);
        g_autoptr(GString) text = shown_text(report, f);
        html_put(out, " title=\"%s\">%s</span></li>\n", f->text, text->str);
    }
    fputs("</ol></section>\n", out);
}
