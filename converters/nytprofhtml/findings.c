#include "overview.h"

#include "model/grow.h"

#include "text.h"

#include <string.h>

enum { MOST = 5 };

/* Writes where the sentence leads, if anywhere: the label of a sub, the place, or the sub. */
static void put_target(const html_report *r, const nytp_finding *f, FILE *out)
{
    const int64_t file = f->fid != 0 ? html_report_file_number(r, f->fid) : -1;
    const bool has_sub = f->sub != UINT32_MAX;    /* subs have the profile's numbers */
    static const char room[] = "room for values"; /* a profile with this kind has no other arenas */
    if (f->rule == NYTP_FOUND_COMPILED_CODE)
        fputs(" data-kind=\"code\"", out);
    else if (f->rule == NYTP_FOUND_ARENAS)
        fprintf(out, " data-kind=\"%s\"", nytp_kinds_find(r->kinds, room) >= 0 ? room : "value heads");
    else if (f->pid != 0)
        fprintf(out, " data-pid=\"%u\"", f->pid);
    else if (f->rule == NYTP_FOUND_LOADING)
        fputs(" data-view=\"modules\"", out);
    else if (has_sub &&
             (f->rule == NYTP_FOUND_QUERIES || f->rule == NYTP_FOUND_SPAN || f->rule == NYTP_FOUND_GROWTH))
        fprintf(out, " data-label-of=\"%u\"", f->sub);
    else if (file >= 0 && f->line > 0 && !(has_sub && nytp_finding_is_of_sub(f)))
        fprintf(out, " data-file=\"%lld\" data-line=\"%u\"", (long long)file, f->line);
    else if (has_sub)
        fprintf(out, " data-sub=\"%u\"", f->sub);
}

/* Returns the first bytes of a sentence as the page shows it, with short paths. */
static GString *shown_text(const html_report *r, const char *text, size_t length)
{
    GString *shown = g_string_new_len(text, (gssize)length);
    NYTP_EACH(const html_file, file, r->files) {
        const char *name = file->name, *end = html_short_path(name);
        if (end != name)
            g_string_replace(shown, name, end, 0);
    }
    html_use_micro_sign(shown);
    return shown;
}

char *html_findings_headline(const html_report *report)
{
    if (nytp_findings_count(report->findings) == 0)
        return NULL;
    const nytp_finding *f = nytp_findings_get(report->findings, 0);
    return g_string_free(shown_text(report, f->text, strlen(f->text)), FALSE);
}

void html_findings_write(const html_report *report, FILE *out)
{
    const size_t count = nytp_findings_count(report->findings);
    if (count == 0)
        return;
    const char *whole =
        nytp_measure_is_bytes(&report->measure) ? nytp_memory_in_words(report->memory.of) : "the work";
    html_put(out, "<section id=\"findings\"><h2>What stands out <small>shares of %s</small></h2>\n<ol>\n",
             whole);
    for (size_t i = 0; i < MIN(count, MOST); i++) {
        const nytp_finding *f = nytp_findings_get(report->findings, i);
        const bool is_of_whole = g_str_equal(f->share_of, whole);
        fprintf(out, "<li data-rule=\"%s\"><span class=\"share\">%s</span> <span", nytp_rule_names[f->rule],
                is_of_whole ? nytp_amount_percent(f->share).text : "");
        put_target(report, f, out);
        g_autoptr(GString) text = shown_text(report, f->text, is_of_whole ? f->share_at : strlen(f->text));
        html_put(out, " title=\"%s\">%s</span></li>\n", f->text, text->str);
    }
    fputs("</ol></section>\n", out);
}
