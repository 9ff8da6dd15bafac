#include "write.h"

#include "cli/output.h"
#include "cli/read.h"
#include "findings/findings.h"

typedef struct sums {
    nytp_profile *profile;
    nytp_calltree *stacks;
} sums;

static int add_file(sums *s, const char *path, const nytp_common_options *common)
{
    nytp_profile *one = nytp_profile_new();
    const int rc = nytp_read_profile_with_calls(path, common, one, s->stacks);
    if (rc >= 0)
        nytp_profile_add_profile(s->profile, one, NULL);
    nytp_profile_free(one);
    return rc;
}

static void write_all(const nytp_findings *findings, FILE *out)
{
    const size_t count = nytp_findings_count(findings);
    for (size_t i = 0; i < count; i++) {
        const nytp_finding *f = nytp_findings_get(findings, i);
        fprintf(out, "%s (%s)\n", f->text, nytp_rule_names[f->rule]);
    }
    if (count == 0)
        fputs("Nothing stands out.\n", out);
}

static int write_findings(const sums *s, const char *path)
{
    nytp_output *output = nytp_read_open_output(path);
    if (output == NULL)
        return -1;
    nytp_profile_merge_evals(s->profile);
    nytp_findings *findings = nytp_findings_new(s->profile, s->stacks);
    write_all(findings, nytp_output_stream(output));
    nytp_findings_free(findings);
    return nytp_output_commit(output);
}

int tree_findings_write(const nytp_operands *files, const nytp_common_options *common)
{
    sums s = {nytp_profile_new(), nytp_calltree_new(NULL, NULL)};
    int rc = 0;
    for (int i = 0; i < files->count && rc >= 0; i++)
        rc = add_file(&s, files->names[i], common);
    if (rc >= 0)
        rc = write_findings(&s, common->output);
    nytp_calltree_free(s.stacks);
    nytp_profile_free(s.profile);
    return rc < 0 ? -1 : 0;
}
