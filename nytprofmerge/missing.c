#include "missing.h"

#include "calls/calltree.h"
#include "calls/derive_arcs.h"
#include "model/profile.h"
#include "placement.h"

/* The stream has times of arcs in seconds, and counts of 32 bits. */
static void add_arc(merge_state *m, const nytp_profile *profile, const nytp_arc *arc)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS,
                        .sub_callers = {.caller = nytp_names_get(profile->subs.names, arc->caller),
                                        .called = nytp_names_get(profile->subs.names, arc->callee),
                                        .incl_s = (double)arc->incl_ticks / profile->ticks_per_sec,
                                        .excl_s = (double)arc->excl_ticks / profile->ticks_per_sec,
                                        .reci_s = (double)arc->reci_ticks / profile->ticks_per_sec,
                                        .max_depth = arc->max_depth}};
    uint64_t left = arc->count;
    do {
        chunk.sub_callers.count = (uint32_t)MIN(left, UINT32_MAX);
        merge_arcs_add(m->arcs, &chunk, 0);
        chunk.sub_callers.incl_s = chunk.sub_callers.excl_s = chunk.sub_callers.reci_s = 0;
        left -= chunk.sub_callers.count;
    } while (left > 0);
}

static void add_missing(merge_state *m, nytp_profile *profile, nytp_calltree *tree)
{
    const double scale = profile->ticks_per_sec / nytp_calltree_ticks_per_sec(tree);
    nytp_records missing =
        nytp_missing_arcs(profile, nytp_calltree_stacks(tree), nytp_calltree_names(tree), scale);
    for (uint32_t i = 0; i < missing.count; i++)
        add_arc(m, profile, nytp_records_at(&missing, i));
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
