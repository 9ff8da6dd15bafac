#include "overview.h"

#include "text.h"

/* Whether a finding is about a sub as a whole, wherever it is called. */
static bool is_of_sub(const nytp_finding *f)
{
    return f->rule == NYTP_FOUND_EXCEPTIONS || f->rule == NYTP_FOUND_RECURSION || f->rule == NYTP_FOUND_MAGIC;
}

/* Writes where the sentence leads, if anywhere: the label of a sub, the place, or the sub. */
static void put_target(const html_report *r, const nytp_finding *f, FILE *out)
{
    const int64_t file = f->fid != 0 ? html_report_file_number(r, f->fid) : -1;
    const bool has_sub = f->sub != UINT32_MAX; /* subs have the profile's numbers */
    if (has_sub && f->rule == NYTP_FOUND_QUERIES)
        fprintf(out, " data-label-of=\"%u\"", f->sub);
    else if (file >= 0 && f->line > 0 && !(has_sub && is_of_sub(f)))
        fprintf(out, " data-file=\"%lld\" data-line=\"%u\"", (long long)file, f->line);
    else if (has_sub)
        fprintf(out, " data-sub=\"%u\"", f->sub);
}

void html_findings_write(const html_report *report, FILE *out)
{
    const size_t count = nytp_findings_count(report->findings);
    if (count == 0)
        return;
    fputs("<section id=\"findings\"><h2>What stands out</h2>\n<ol>\n", out);
    for (size_t i = 0; i < count; i++) {
        const nytp_finding *f = nytp_findings_get(report->findings, i);
        fprintf(out,
                "<li data-rule=\"%s\"><span class=\"share h%d\" aria-hidden=\"true\">%.0f %%</span> <span",
                nytp_rule_names[f->rule], html_heat_of(f->share), f->share * 100);
        put_target(report, f, out);
        html_put(out, ">%s</span></li>\n", f->text);
    }
    fputs("</ol></section>\n", out);
}
