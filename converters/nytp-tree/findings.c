#include "command.h"

#include "cli/output.h"
#include "cli/read.h"
#include "calls/calltree.h"
#include "calls/durations.h"
#include "calls/kinds.h"
#include "export/json.h"
#include "findings/findings.h"
#include "model/measure.h"
#include "model/profile.h"

#include <glib.h>
#include <string.h>

typedef struct sums {
    nytp_profile *profile;
    nytp_calltree *stacks;
    nytp_durations *durations; /* of the calls in stacks */
    nytp_growth *growth;       /* of the processes that make them */
    nytp_kinds *kinds;         /* of memory in them */
    bool some_dprof;           /* a profile is a tmon.out */
} sums;

static uint32_t fid_in_sum(const void *sum, uint32_t fid)
{
    return nytp_profile_added_fid(sum, fid, 0);
}

static int add_file(sums *s, const char *path, const nytp_common_options *common)
{
    nytp_profile *one = nytp_profile_new();
    const int rc = nytp_read_profile_with_calls(path, common, one, s->stacks);
    s->some_dprof |= nytp_profile_setting_by_key(one, NYTP_ATTRIBUTE, "dprof_XS_VERSION") != NULL;
    if (rc >= 0)
        nytp_profile_add_profile(s->profile, one, NULL);
    if (rc >= 0)
        nytp_kinds_end_profile(s->kinds, fid_in_sum, s->profile);
    nytp_profile_free(one);
    return rc;
}

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
    nytp_json_string(out, (nytp_str){text, strlen(text), true});
}

static void write_object(const sums *s, const nytp_finding *f, FILE *out)
{
    nytp_sub sub;
    fprintf(out, "{\"rule\": \"%s\"", nytp_rule_names[f->rule]);
    put_text(out, "text", f->without_place);
    if (f->path != NULL) {
        put_text(out, "file", f->path);
        fprintf(out, ", \"line\": %u", f->path_line);
    }
    if (nytp_profile_sub(s->profile, f->sub, &sub)) {
        g_autofree char *name = nytp_name_clean(sub.name);
        put_text(out, "sub", name);
    }
    const nytp_measure measure = nytp_profile_measure(s->profile);
    if (f->values > 0)
        fprintf(out, ", \"values\": %.0f", f->values);
    else
        fprintf(out, ", \"%s\": %.9g", nytp_measure_base(&measure)->in_full,
                f->ticks / measure.ticks_per_base);
    fprintf(out, ", \"share\": %.4g", f->share);
    if (f->work_share > 0)
        fprintf(out, ", \"work\": %.9g, \"work_share\": %.4g", f->work_ticks / measure.ticks_per_base,
                f->work_share);
    fputs("}", out);
}

static void write_json(const sums *s, const nytp_findings *findings, FILE *out)
{
    const size_t count = nytp_findings_count(findings);
    fputs("{\"findings\": [", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        write_object(s, nytp_findings_get(findings, i), out);
    }
    fputs("\n]}\n", out);
}

/* Merges the evals. */
static nytp_findings *find(const sums *s, const tree_command *command)
{
    const nytp_measure measure = nytp_profile_measure(s->profile);
    nytp_sub_durations durations = nytp_durations_by_sub(s->durations, s->profile);
    g_autoptr(GArray) kind_sums = nytp_kinds_by_sub(s->kinds, s->profile);
    g_autofree uint32_t *moved = nytp_profile_move_evals(s->profile);
    if (moved != NULL) {
        nytp_sub_durations_move(&durations, s->profile, moved);
        nytp_kind_sums_move(kind_sums, moved);
    }
    nytp_findings *findings =
        nytp_measure_is_bytes(&measure)
            ? nytp_findings_of_memory(s->profile, s->kinds, kind_sums)
            : nytp_findings_new(s->profile, s->stacks, &durations, s->growth,
                                command->common.filters.no_wait || command->common.filters.work);
    nytp_sub_durations_clear(&durations);
    return findings;
}

static int write_findings(const sums *s, const tree_command *command)
{
    nytp_output *output = nytp_read_open_output(command->common.output);
    if (output == NULL)
        return -1;
    nytp_findings *findings = find(s, command);
    if (command->markdown)
        tree_page_write(s->profile, s->stacks, findings, nytp_output_stream(output));
    else if (command->options.form == TREE_JSON)
        write_json(s, findings, nytp_output_stream(output));
    else
        write_texts(findings, nytp_output_stream(output));
    nytp_findings_free(findings);
    return nytp_output_commit(output);
}

int tree_findings_write(const tree_command *command)
{
    const nytp_operands *files = &command->files;
    sums s = {.profile = nytp_profile_new(), .stacks = nytp_calltree_new(NULL, NULL)};
    int rc = 0;
    nytp_calltree_read_waited(s.stacks);
    s.durations = nytp_durations_new(s.stacks->raw);
    nytp_durations_take(s.durations, nytp_calltree_events(s.stacks));
    s.growth = nytp_growth_new(s.stacks->raw);
    nytp_growth_take(s.growth, nytp_calltree_events(s.stacks));
    s.kinds = nytp_kinds_new();
    nytp_kinds_take(s.kinds, s.stacks->raw, nytp_calltree_events(s.stacks));
    for (int i = 0; i < files->count && rc >= 0; i++)
        rc = add_file(&s, files->names[i], &command->common);
    if (rc >= 0 && !s.some_dprof)
        nytp_options_warn("real system user", "on a nytprof.out");
    if (rc >= 0)
        rc = write_findings(&s, command);
    nytp_durations_free(s.durations);
    nytp_growth_free(s.growth);
    nytp_kinds_free(s.kinds);
    nytp_calltree_free(s.stacks);
    nytp_profile_free(s.profile);
    return rc < 0 ? -1 : 0;
}
