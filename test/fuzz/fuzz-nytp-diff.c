/* A profile and its first half through nytp-diff and the findings. The last byte chooses the options. */
#include "converters/nytp-diff/diff.h"
#include "calls/calltree.h"
#include "compare/comparison.h"
#include "findings/findings.h"
#include "test/fuzz/fuzz.h"

typedef struct both {
    nytp_profile *profile;
    nytp_calltree *stacks;
    nytp_source_text *text;
    nytp_durations *calls; /* of stacks */
    nytp_sub_durations durations;
} both;

static int read_both(void *context, nytp_reader *reader)
{
    both *b = context;
    return nytp_profile_read_with_calls(b->profile, b->stacks, reader);
}

static both fill(const uint8_t *data, size_t size)
{
    both b = {.profile = nytp_profile_new(),
              .stacks = nytp_calltree_new(NULL, NULL),
              .text = nytp_source_text_new()};
    nytp_calltree_read_waited(b.stacks);
    b.calls = nytp_durations_new(b.stacks->raw);
    nytp_durations_take(b.calls, nytp_calltree_events(b.stacks));
    nytp_profile_on_source(b.profile, nytp_source_text_add, b.text);
    const nytp_filter_options filters = fuzz_filters(data, size);
    fuzz_read_filtered(data, size, &filters, nytp_profile_tags() | nytp_calltree_tags(b.stacks), read_both,
                       &b);
    b.durations = nytp_durations_merge_evals(b.calls, b.profile);
    return b;
}

static void add_run(nytp_comparison *c, enum nytp_side side, const uint8_t *data, size_t size)
{
    both b = fill(data, size);
    nytp_comparison_add(c, side, b.profile, b.stacks, b.text);
    nytp_comparison_add_durations(c, side, &b.durations);
    nytp_findings_free(nytp_findings_new(b.profile, b.stacks, &b.durations, NULL, NULL, false));
    nytp_sub_durations_clear(&b.durations);
    nytp_durations_free(b.calls);
    nytp_source_text_free(b.text);
    nytp_calltree_free(b.stacks);
    nytp_profile_free(b.profile);
}

static void write_all(const diff_rows *rows, FILE *out)
{
    diff_table_write(rows, &(nytp_look){.columns = 40}, out);
    diff_json_write(rows, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t bits = size > 0 ? data[size - 1] : 0;
    diff_options options = {.kind = (enum nytp_compared)(bits % NYTP_COMPARED_KINDS),
                            .figure = (enum nytp_figure)((bits >> 3) % (NYTP_FIGURE_QUEUED + 1)),
                            .explain = true,
                            .form = (enum nytp_table_form)((bits >> 6) % NYTP_JSON),
                            .sort = (enum diff_sort)(bits >> 6)};
    if (nytp_figure_is_duration(options.figure))
        options.kind = NYTP_COMPARE_SUBS;
    FILE *out = fuzz_results();
    nytp_comparison *c = nytp_comparison_new();
    for (int run = 0; run < 4; run++) {
        add_run(c, NYTP_OLD, data, size);
        add_run(c, NYTP_NEW, data, size - size / 2 * (size_t)(run % 2));
    }
    diff_rows *rows = diff_rows_new(c, &options);
    write_all(rows, out);
    diff_rows_free(rows);
    nytp_comparison_free(c);
    fclose(out);
    return 0;
}
