#include "model/callees.h"

#include "model/subs.h"

#include <glib.h>

nytp_arc *nytp_sums_by_callee(const nytp_profile *profile)
{
    const nytp_arc *arc;
    nytp_arc *sums = g_new0(nytp_arc, nytp_profile_sub_count(profile) + 1);
    for (size_t i = 0; (arc = nytp_profile_arc(profile, i)) != NULL; i++)
        nytp_arc_add(&sums[arc->callee], arc);
    return sums;
}
