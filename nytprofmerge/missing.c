#include "missing.h"

#include "calls/calltree.h"
#include "calls/derive_arcs.h"
#include "calls/sum_calls.h"
#include "model/profile.h"
#include "placement.h"

static void add_sums(void *arcs, const nytp_chunk *chunk)
{
    merge_arcs_add(arcs, chunk, 0);
}

static void add_missing(merge_state *m, nytp_profile *profile, nytp_calltree *tree)
{
    const double scale = profile->ticks_per_sec / nytp_calltree_ticks_per_sec(tree);
    nytp_records missing =
        nytp_missing_arcs(profile, nytp_calltree_stacks(tree), nytp_calltree_names(tree), scale);
    for (uint32_t i = 0; i < missing.count; i++)
        nytp_arc_chunks(nytp_records_at(&missing, i), profile->subs.names, profile->ticks_per_sec, add_sums,
                        m->arcs);
    nytp_records_clear(&missing);
}

void merge_add_missing_arcs(merge_state *m)
{
    nytp_profile *profile = nytp_profile_new();
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    nytp_reader *reader = merge_reopen(m, nytp_profile_tags() | nytp_calltree_tags(tree));
    int rc = NYTP_OK;
    while (reader != NULL && rc == NYTP_OK)
        rc = nytp_profile_read_with_calls(profile, tree, reader);
    merge_report_second_reading(m, reader, rc);
    nytp_calltree_end_profile(tree);
    if (!m->failed)
        add_missing(m, profile, tree);
    nytp_reader_free(reader);
    nytp_calltree_free(tree);
    nytp_profile_free(profile);
}
