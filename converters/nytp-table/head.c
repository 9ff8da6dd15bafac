#include "table.h"

#include "export/amount.h"
#include "export/markdown.h"
#include "export/time_parts.h"

#include <string.h>

void table_note_write(const table_view *v, const char *text, const nytp_look *look)
{
    const size_t mark = strlen("! ");
    g_autofree char *fit =
        look->columns > mark ? nytp_fit(text, look->columns - mark, look->is_ascii) : g_strdup(text);
    fprintf(v->out, "! %s\n", fit);
}

static const char *memory_in_words(const nytp_profile *profile)
{
    const nytp_setting *of = nytp_profile_setting_by_key(profile, NYTP_ATTRIBUTE, "memory_of");
    g_autofree char *name = of != NULL ? nytp_name_clean(of->value) : g_strdup("");
    return nytp_memory_in_words(name);
}

/* Where the time went, as a sum. */
static char *made_of(const table_view *v)
{
    const nytp_time_parts parts = nytp_profile_time_parts(v->summary->profile);
    return nytp_measure_is_bytes(&v->measure)
               ? g_strdup_printf("%s: %s", memory_in_words(v->summary->profile),
                                 nytp_amount_ticks(&v->measure, v->base_ticks).text)
               : nytp_time_parts_text(&parts, nytp_amount_of_part, &v->measure);
}

static char *program_of(const table_view *v)
{
    const nytp_setting *s = nytp_profile_setting_by_key(v->summary->profile, NYTP_ATTRIBUTE, "application");
    return s != NULL ? nytp_name_clean(s->value) : g_strdup("perl");
}

/* Writes parts, broken after those that fit. */
static void write_parts(const table_view *v, const char *parts, size_t at, size_t columns)
{
    g_auto(GStrv) part = g_strsplit(parts, " + ", -1);
    for (size_t i = 0; part[i] != NULL; i++) {
        const size_t length = nytp_columns_of(part[i]) + strlen("  + ");
        const bool fits = at + length <= columns;
        fprintf(v->out, "%s%s%s", fits ? "" : "\n", i == 0 ? "  " : fits ? " + " : "  + ", part[i]);
        at = fits ? at + length : length;
    }
}

/* As people find it: the place, without its directories, and the sentence. */
static char *finding_text(const nytp_finding *f)
{
    if (f->path == NULL)
        return g_strdup(f->text);
    g_autofree char *file = g_path_get_basename(f->path);
    return g_strdup_printf("%s:%u %s", file, f->path_line, f->without_place);
}

/* What ran, where its time went, what all shares are of, and what stands out. */
void table_head_write(const table_view *v, const nytp_look *look)
{
    enum { MOST = 3, USUAL = 80 };
    g_autofree char *parts = made_of(v);
    const size_t processes = nytp_profile_process_count(v->summary->profile),
                 count = nytp_findings_count(v->findings);
    g_autofree char *name = program_of(v);
    const bool adds_count =
        processes > 1 && !g_str_has_suffix(name, "processes)"); /* as a sum of profiles has it */
    g_autofree char *program =
        adds_count ? g_strdup_printf("%s, %zu processes", name, processes) : g_steal_pointer(&name);
    const char *file = v->options->files.count == 1 ? v->options->files.names[0] : "";
    const bool is_found = strcmp(file, "nytprof/nytprof.out") == 0; /* which nobody may have named */
    fputs(program, v->out);
    if (is_found)
        fprintf(v->out, " %s", file);
    write_parts(v, parts, nytp_columns_of(program) + (is_found ? strlen(file) + 1 : 0),
                look->columns > 0 ? look->columns : USUAL);
    fprintf(v->out, "\n100 %% = %s of %s\n", nytp_amount_ticks(&v->measure, v->base_ticks).text,
            !nytp_measure_is_time(&v->measure) ? v->measure.noun
            : v->options->wait                 ? "all time"
                                               : "work");
    for (size_t i = 0; i < MIN(count, MOST); i++) {
        g_autofree char *text = finding_text(nytp_findings_get(v->findings, i));
        table_note_write(v, text, look);
    }
}

void table_page_head_write(const table_view *v)
{
    g_autofree char *program = program_of(v), *parts = made_of(v);
    const size_t processes = nytp_profile_process_count(v->summary->profile);
    const nytp_amount whole = nytp_amount_ticks(&v->measure, v->base_ticks);
    const bool is_sampled = nytp_measure_is_sampled(&v->measure);
    nytp_markdown_code(program, v->out);
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
