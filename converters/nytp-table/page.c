#include "table.h"

#include "cli/head.h"
#include "export/amount.h"
#include "export/markdown.h"

void table_page_head_write(const table_view *v)
{
    g_autofree char *program = nytp_head_program(v->summary->profile),
                    *parts = nytp_head_parts(v->summary->profile);
    const size_t processes = nytp_profile_process_count(v->summary->profile);
    const nytp_amount whole = nytp_amount_ticks(&v->measure, v->base_ticks);
    const bool is_sampled = nytp_measure_is_sampled(&v->measure);
    nytp_markdown_code(program, false, v->out);
    if (v->has_parts)
        fprintf(v->out, ": %s; 100 %% are %s", parts, whole.text);
    else
        fprintf(v->out, ": %s%s", whole.text, v->base_ticks > 0 ? " (100 %)" : "");
    if (!is_sampled)
        fprintf(v->out, ", %s", nytp_amount_of((double)v->totals.calls, "call").text);
    if (v->totals.statements > 0 && !is_sampled)
        fprintf(v->out, ", %s", nytp_amount_of((double)v->totals.statements, "statement").text);
    if (processes > 1)
        fprintf(v->out, ", in %s processes", nytp_amount_whole(processes).text);
    fputc('\n', v->out);
}

void table_page_findings_write(const table_view *v)
{
    const size_t count = nytp_findings_count(v->findings);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "\n- " : "- ", v->out);
        nytp_markdown_text(nytp_findings_get(v->findings, i)->text, v->out);
        fputc('\n', v->out);
    }
}
