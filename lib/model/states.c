#include "model/states.h"

#include "base/str.h"
#include "model/grow.h"
#include "model/measure.h"
#include "model/profile.h"

#include <math.h>

nytp_states nytp_profile_states(const nytp_profile *profile)
{
    return profile->states;
}

nytp_states nytp_states_of(const nytp_mark *mark)
{
    return (nytp_states){mark->state.run_ns / 1e9, mark->state.wait_ns / 1e9, mark->state.sleep_ns / 1e9};
}

double nytp_profile_waited_for_cpu_s(const nytp_profile *profile)
{
    if (nytp_profile_has_cpu_clock(profile))
        return 0;
    if (nytp_states_all_s(profile->states) > 0) /* what filters have left of the samples */
        return profile->states.wait_s;
    double sum_s = 0;
    NYTP_EACH(const nytp_process, process, profile->processes)
        sum_s += fmax(process->wait_s, 0);
    return sum_s;
}

double nytp_profile_overhead_ticks(const nytp_profile *profile)
{
    return fmax(nytp_str_number(nytp_profile_attribute(profile, "cumulative_overhead_ticks")), 0);
}

/* The program may also have been interrupted in the collector's own work. */
double nytp_profile_busy_share(const nytp_profile *profile)
{
    const double ticks =
        (double)nytp_profile_totals(profile).whole_ticks + nytp_profile_overhead_ticks(profile);
    const double wait_ticks = nytp_profile_waited_for_cpu_s(profile) * nytp_profile_ticks_per_sec(profile);
    return ticks > 0 ? fmin(wait_ticks / ticks, 1) : 0;
}
