#include "missing.h"

#include "calls/derive_arcs.h"
#include "calls/sum_calls.h"
#include "model/profile.h"
#include "placement.h"

static void add_sums(void *merge, const nytp_chunk *chunk)
{
    merge_place_sub_callers(merge, chunk);
}

static void add_missing(merge_state *m, nytp_profile *profile, const nytp_profile *calls)
{
    nytp_records missing = nytp_missing_arcs_of(profile, calls);
    for (uint32_t i = 0; i < missing.count; i++)
        nytp_arc_chunks(nytp_records_at(&missing, i), profile->subs.names, profile->ticks_per_sec, add_sums,
                        m);
    nytp_records_clear(&missing);
}

/* Reads the current profile again. */
static nytp_profile *read_again(merge_state *m, const nytp_common_options *options)
{
    nytp_profile *profile = nytp_profile_new();
    nytp_reader *reader = merge_reopen(m, options, nytp_profile_tags());
    int rc = NYTP_OK;
    while (reader != NULL && rc == NYTP_OK)
        rc = nytp_profile_read(profile, reader);
    merge_report_second_reading(m, reader, rc);
    nytp_reader_free(reader);
    return profile;
}

void merge_add_missing_arcs(merge_state *m)
{
    nytp_common_options with_sums = *m->common;
    with_sums.filters.sums = nytp_sum_calls_new();
    nytp_profile *profile = read_again(m, m->common), *calls = read_again(m, &with_sums);
    if (!m->failed)
        add_missing(m, profile, calls);
    nytp_profile_free(profile);
    nytp_profile_free(calls);
}
