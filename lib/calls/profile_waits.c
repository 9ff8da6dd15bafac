#include "calls/profile_waits.h"

#include "calls/calltree.h"
#include "calls/derive_arcs.h"
#include "model/profile.h"
#include "model/sampled.h"
#include "model/waits.h"

/* Takes the time out of a line, if it is there. */
static void take_from_line(nytp_profile *profile, const nytp_arc *arc, const nytp_totals *sampled)
{
    uint64_t from = arc->line;
    nytp_line line;
    if (!nytp_lines_next_seen(profile->lines, arc->fid, &from, &line) || line.line != arc->line)
        return;
    const uint64_t samples = sampled != NULL ? nytp_samples_of((double)arc->excl_ticks, sampled) : 0;
    const nytp_line less = {
        .line = arc->line, .count = 0 - MIN(samples, line.count), .ticks = -arc->excl_ticks};
    nytp_lines_add_sum(profile->lines, arc->fid, &less);
}

/* An arc keeps the time of what a sub that waits has called. */
static void take_from_arc(nytp_arc *arc)
{
    int64_t *inclusive = arc->incl_ticks != 0 ? &arc->incl_ticks : &arc->reci_ticks;
    *inclusive -= arc->excl_ticks;
    arc->excl_ticks = 0;
}

void nytp_profile_leave_out_waits(nytp_profile *profile, nytp_calltree *tree)
{
    const nytp_totals totals = nytp_profile_totals(profile);
    const nytp_totals *sampled = nytp_profile_sampled_hz(profile) > 0 ? &totals : NULL;
    for (uint32_t i = 0; i < profile->subs.arcs.count; i++) {
        nytp_arc *arc = nytp_records_at(&profile->subs.arcs, i);
        if (!nytp_sub_waits(nytp_names_get(profile->subs.names, arc->callee)))
            continue;
        take_from_line(profile, arc, sampled);
        take_from_arc(arc);
    }
    if (tree == NULL || tree->calls == 0)
        return;
    nytp_subs_clear_arcs(&profile->subs);
    nytp_profile_complete_arcs(profile, tree);
}
