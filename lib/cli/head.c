#include "cli/head.h"

#include "cli/say.h"
#include "export/amount.h"
#include "export/time_parts.h"

#include <math.h>
#include <string.h>

double nytp_head_base_ticks(const nytp_profile *profile, bool wait)
{
    const nytp_time_parts parts = nytp_profile_time_parts(profile);
    nytp_time_part list[NYTP_TIME_PARTS];
    nytp_time_parts_list(&parts, list);
    return wait ? parts.time_ticks : list[0].ticks;
}

nytp_findings *nytp_head_findings(const nytp_summary *s, const nytp_filter_options *filters)
{
    const nytp_measure measure = nytp_profile_measure(s->profile);
    return nytp_measure_is_bytes(&measure)
               ? nytp_findings_of_memory(s->profile, s->kinds, s->kind_sums)
               : nytp_findings_new(s->profile, s->stacks, &s->durations, s->growth, s->processes,
                                   filters->no_wait || filters->work);
}

char *nytp_head_parts(const nytp_profile *profile)
{
    const nytp_measure measure = nytp_profile_measure(profile);
    if (nytp_measure_is_bytes(&measure))
        return g_strdup_printf("%s: %s",
                               nytp_memory_in_words(nytp_profile_attribute(profile, "memory_of").bytes),
                               nytp_amount_ticks(&measure, nytp_head_base_ticks(profile, false)).text);
    const nytp_time_parts parts = nytp_profile_time_parts(profile);
    return nytp_time_parts_text(&parts, &measure);
}

char *nytp_head_program(const nytp_profile *profile)
{
    const nytp_str name = nytp_profile_attribute(profile, "application");
    return name.length > 0 ? nytp_name_clean(name) : g_strdup("perl");
}

/* As people find it: the place, without its directories, and the sentence. */
static char *finding_text(const nytp_finding *f)
{
    if (f->path == NULL)
        return g_strdup(f->text);
    g_autofree char *file = g_path_get_basename(f->path);
    return g_strdup_printf("%s:%u %s", file, f->path_line, f->without_place);
}

/* The program, with how many processes, unless it says so as a sum of profiles. */
static char *what_ran(const nytp_profile *profile)
{
    g_autofree char *name = nytp_head_program(profile);
    const size_t processes = nytp_profile_process_count(profile);
    return processes > 1 && !g_str_has_suffix(name, "processes)")
               ? g_strdup_printf("%s, %zu processes", name, processes)
               : g_steal_pointer(&name);
}

void nytp_head_write(const nytp_summary *s, const nytp_findings *findings, const nytp_operands *files,
                     bool wait, FILE *out)
{
    enum { MOST = 3 };
    const nytp_measure measure = nytp_profile_measure(s->profile);
    const char *file = files->count == 1 ? files->names[0] : "";
    const bool is_found = strcmp(file, "nytprof/nytprof.out") == 0; /* which nobody may have named */
    g_autofree char *parts = nytp_head_parts(s->profile), *program = what_ran(s->profile);
    const size_t count = nytp_findings_count(findings);
    fprintf(out, "%s%s%s  %s\n", program, is_found ? " " : "", is_found ? file : "", parts);
    fprintf(out, "100 %% = %s of %s\n",
            nytp_amount_ticks(&measure, nytp_head_base_ticks(s->profile, wait)).text,
            nytp_measure_is_bytes(&measure)   ? "memory"
            : !nytp_measure_is_time(&measure) ? measure.noun
            : wait                            ? "all time"
                                              : "work");
    for (size_t i = 0; i < MIN(count, MOST); i++) {
        g_autofree char *text = finding_text(nytp_findings_get(findings, i));
        fprintf(out, "! %s\n", text);
    }
}

void nytp_head_hidden(uint64_t count, const char *what, double share, nytp_least min, FILE *out)
{
    char below[48] = "";
    if (isfinite(share))
        snprintf(below, sizeof below, " below %.1f %%", 100 * share);
    if (count > 0)
        fprintf(out, "%s%s not shown: --rows=0%s\n", nytp_amount_of((double)count, what).text, below,
                nytp_least_is_given(min) ? " --min=0" : "");
}
