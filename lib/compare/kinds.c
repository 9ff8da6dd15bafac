/* Kinds of memory in a comparison, and the errors of bytes. */
#include "compare/comparison.h"

#include "model/grow.h"
#include "model/package.h"

static void add_error(nytp_run *run, enum nytp_compared kind, uint32_t key, double variance)
{
    if (key != NYTP_NO_KEY)
        nytp_run_add(run, kind, key, &(nytp_measured){.variance = variance});
}

static void add_subs(nytp_run *run, nytp_keys *keys, const nytp_profile *profile, const GArray *by_sub)
{
    NYTP_EACH(const nytp_kind_sum, sum, by_sub) {
        nytp_sub sub;
        nytp_profile_sub(profile, sum->owner, &sub);
        const nytp_str package = {sub.name.bytes, nytp_package_length(sub.name), sub.name.utf8};
        add_error(run, NYTP_COMPARE_SUBS, run->sub_key[sum->owner], sum->variance);
        add_error(run, NYTP_COMPARE_PACKAGES, nytp_names_intern(keys->packages, &package, NULL),
                  sum->variance);
    }
}

static void add_lines(nytp_run *run, nytp_keys *keys, const nytp_profile *profile, const nytp_kinds *kinds)
{
    NYTP_EACH(const nytp_kind_sum, sum, nytp_kinds_by_line(kinds)) {
        const nytp_measured m = {.excl = sum->bytes, .count = (double)sum->blocks, .variance = sum->variance};
        const nytp_str name = nytp_kinds_name(kinds, sum->kind);
        const nytp_file *file = nytp_profile_merged_file(profile, sum->owner);
        const uint32_t key = file != NULL ? run->file_key[file->number] : NYTP_NO_KEY;
        nytp_run_add(run, NYTP_COMPARE_KINDS, nytp_names_intern(keys->kinds, &name, NULL), &m);
        add_error(run, NYTP_COMPARE_FILES, key, m.variance);
        add_error(run, NYTP_COMPARE_LINES, nytp_pairs_find(&keys->lines, (nytp_pair){key, sum->line}),
                  m.variance);
        run->whole.variance += m.variance;
    }
}

void nytp_comparison_add_kinds(nytp_comparison *comparison, enum nytp_side side, const nytp_profile *profile,
                               const nytp_kinds *kinds, const GArray *by_sub)
{
    const GPtrArray *runs = comparison->runs[side];
    nytp_run *run = g_ptr_array_index(runs, runs->len - 1);
    nytp_comparison_forget_rows(comparison);
    add_subs(run, &comparison->keys, profile, by_sub);
    add_lines(run, &comparison->keys, profile, kinds);
    run->whole_variance = nytp_kinds_whole_variance(kinds);
}
