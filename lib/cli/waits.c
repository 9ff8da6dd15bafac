#include "cli/waits.h"

#include "calls/profile_waits.h"
#include "cli/say.h"

int nytp_leave_out_waits(nytp_profile *profile, nytp_calltree *tree, bool in_arcs)
{
    uint64_t calls;
    double ticks;
    nytp_calltree_totals(tree, &calls, &ticks);
    if (calls == 0 && nytp_profile_arc_count(profile) > 0) {
        nytp_say("a profile that was recorded with calls=0 does not say within which calls subs waited: "
                 "--no-wait needs calls=1 or 2");
        return -1;
    }
    nytp_profile_leave_out_waits(profile, in_arcs ? tree : NULL);
    return 0;
}
