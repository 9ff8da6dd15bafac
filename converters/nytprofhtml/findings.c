#include "overview.h"

#include "text.h"

#include <string.h>

/* Whether a finding is about a sub as a whole, wherever it is called. */
static bool is_of_sub(const nytp_finding *f)
{
    return f->rule == NYTP_FOUND_EXCEPTIONS || f->rule == NYTP_FOUND_RECURSION ||
           f->rule == NYTP_FOUND_FIRST_CALL || f->rule == NYTP_FOUND_MAGIC;
}

/* Writes where the sentence leads, if anywhere: the label of a sub, the place, or the sub. */
static void put_target(const html_report *r, const nytp_finding *f, FILE *out)
{
    const int64_t file = f->fid != 0 ? html_report_file_number(r, f->fid) : -1;
    const bool has_sub = f->sub != UINT32_MAX; /* subs have the profile's numbers */
    if (has_sub && (f->rule == NYTP_FOUND_QUERIES || f->rule == NYTP_FOUND_SPAN))
        fprintf(out, " data-label-of=\"%u\"", f->sub);
    else if (file >= 0 && f->line > 0 && !(has_sub && is_of_sub(f)))
        fprintf(out, " data-file=\"%lld\" data-line=\"%u\"", (long long)file, f->line);
    else if (has_sub)
        fprintf(out, " data-sub=\"%u\"", f->sub);
}

/* Writes microseconds as the page does; programs that write to a terminal have "us". */
static void use_micro_sign(GString *text)
{
    for (const char *at = text->str; (at = strstr(at, " us")) != NULL; at += strlen(" us")) {
        if (at == text->str || !g_ascii_isdigit(at[-1]) || g_ascii_isalnum(at[3]) || at[3] == '_')
            continue;
        const gssize place = at + 1 - text->str;
        g_string_erase(text, place, 1);
        g_string_insert(text, place, "µ");
        at = text->str + place;
    }
}

/* Returns the sentence as the page shows it, with short paths. */
static GString *shown_text(const html_report *r, const char *text)
{
    GString *shown = g_string_new(text);
    for (guint i = 0; i < r->files->len; i++) {
        const char *name = html_report_file(r, i)->name, *end = html_short_path(name);
        if (end != name)
            g_string_replace(shown, name, end, 0);
    }
    use_micro_sign(shown);
    return shown;
}

void html_findings_write(const html_report *report, FILE *out)
{
    const size_t count = nytp_findings_count(report->findings);
    if (count == 0)
        return;
    fputs("<section id=\"findings\"><h2>What stands out</h2>\n<ol>\n", out);
    for (size_t i = 0; i < count; i++) {
        const nytp_finding *f = nytp_findings_get(report->findings, i);
        fprintf(out, "<li data-rule=\"%s\"><span class=\"share\" aria-hidden=\"true\">%.0f %%</span> <span",
                nytp_rule_names[f->rule], f->share * 100);
        put_target(report, f, out);
        g_autoptr(GString) text = shown_text(report, f->text);
        html_put(out, " title=\"%s\">%s</span></li>\n", f->text, text->str);
    }
    fputs("</ol></section>\n", out);
}
