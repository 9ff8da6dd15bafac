#include "model/states.h"

#include "base/str.h"
#include "model/measure.h"
#include "model/profile.h"

#include <math.h>
#include <string.h>

nytp_states nytp_profile_states(const nytp_profile *profile)
{
    return profile->states;
}

/* Returns the number before the next blank, in seconds, and goes beyond that. */
static double next_s(nytp_str *rest)
{
    const char *blank = memchr(rest->bytes, ' ', rest->length);
    const size_t length = blank != NULL ? (size_t)(blank - rest->bytes) : rest->length;
    const double ns = nytp_str_number((nytp_str){rest->bytes, length, false});
    const size_t used = blank != NULL ? length + 1 : length;
    rest->bytes += used;
    rest->length -= used;
    return ns >= 0 && ns < 1e18 ? ns / 1e9 : 0;
}

nytp_states nytp_states_read(nytp_str value)
{
    nytp_states states;
    states.run_s = next_s(&value);
    states.wait_s = next_s(&value);
    states.sleep_s = next_s(&value);
    return states;
}

double nytp_profile_waited_for_cpu_s(const nytp_profile *profile)
{
    if (nytp_profile_has_cpu_clock(profile))
        return 0;
    if (nytp_states_all_s(profile->states) > 0) /* what filters have left of the samples */
        return profile->states.wait_s;
    double sum_s = 0;
    for (guint i = 0; i < profile->processes->len; i++)
        sum_s += fmax(g_array_index(profile->processes, nytp_process, i).wait_s, 0);
    return sum_s;
}

/* The program may also have been interrupted in the collector's own work, which its times do not have. */
double nytp_profile_busy_share(const nytp_profile *profile)
{
    const nytp_setting *s = nytp_profile_setting_by_key(profile, NYTP_ATTRIBUTE, "cumulative_overhead_ticks");
    const double overhead_ticks = s != NULL ? fmax(nytp_str_number(s->value), 0) : 0;
    const double ticks = (double)nytp_profile_totals(profile).whole_ticks + overhead_ticks;
    const double wait_ticks = nytp_profile_waited_for_cpu_s(profile) * nytp_profile_ticks_per_sec(profile);
    return ticks > 0 ? fmin(wait_ticks / ticks, 1) : 0;
}
