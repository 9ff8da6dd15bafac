#include "model/subs.h"

#include "model/measure.h"

#include <glib.h>
#include <math.h>
#include <string.h>

uint64_t nytp_arc_outermost_blocks(const nytp_arc *arc)
{
    const double all = (double)arc->incl_ticks + (double)arc->reci_ticks;
    const bool is_plain = arc->reci_ticks <= 0 || arc->incl_ticks < 0;
    return is_plain ? arc->count : (uint64_t)round((double)arc->count * ((double)arc->incl_ticks / all));
}

uint32_t *nytp_subs_of_names(const nytp_profile *profile, const nytp_names *names)
{
    const uint32_t count = nytp_names_count(names);
    uint32_t *subs = g_new(uint32_t, (size_t)count + 1);
    nytp_sub sub;
    memset(subs, 0xFF, ((size_t)count + 1) * sizeof *subs);
    for (uint32_t i = 0; nytp_profile_sub(profile, i, &sub); i++) {
        const int64_t name = nytp_names_find(names, &sub.name);
        if (name >= 0)
            subs[name] = i;
        if (nytp_sub_is_root(&sub))
            subs[count] = i;
    }
    return subs;
}

nytp_arc *nytp_sums_by_callee(const nytp_profile *profile)
{
    const nytp_arc *arc;
    const nytp_measure measure = nytp_profile_measure(profile);
    nytp_arc *sums = g_new0(nytp_arc, nytp_profile_sub_count(profile) + 1);
    for (size_t i = 0; (arc = nytp_profile_arc(profile, i)) != NULL; i++) {
        nytp_arc one = *arc;
        if (nytp_measure_is_bytes(&measure))
            one.count = nytp_arc_outermost_blocks(arc);
        nytp_arc_add(&sums[arc->callee], &one);
    }
    return sums;
}
