#include "export/time_parts.h"

#include "model/states.h"
#include "model/waits.h"

#include <glib.h>
#include <math.h>

nytp_time_parts nytp_profile_time_parts(const nytp_profile *profile)
{
    const double whole_ticks = (double)nytp_profile_totals(profile).whole_ticks;
    const nytp_waited waited = nytp_profile_waited(profile), within = nytp_waited_within(waited, whole_ticks);
    return (nytp_time_parts){.time_ticks = whole_ticks,
                             .asleep_ticks = within.asleep_ticks,
                             .queued_ticks = within.queued_ticks,
                             .profiler_ticks = nytp_profile_overhead_ticks(profile),
                             .is_measured = nytp_profile_measures_waits(profile)};
}

nytp_time_parts nytp_time_parts_of_processes(const nytp_process_times *times, double ticks_per_base)
{
    const nytp_process_time sum = nytp_process_times_sum(times);
    return (nytp_time_parts){.time_ticks = sum.whole_s * ticks_per_base,
                             .asleep_ticks = sum.asleep_s < 0 ? -1 : sum.asleep_s * ticks_per_base,
                             .queued_ticks = sum.queued_s * ticks_per_base,
                             .profiler_ticks = nytp_process_times_profiler_s(times) * ticks_per_base,
                             .is_measured = sum.is_measured};
}

size_t nytp_time_parts_list(const nytp_time_parts *parts, nytp_time_part list[NYTP_TIME_PARTS])
{
    const bool is_known = parts->asleep_ticks >= 0;
    const double asleep = MAX(parts->asleep_ticks, 0), queued = is_known ? parts->queued_ticks : 0;
    const nytp_time_part all[NYTP_TIME_PARTS] = {
        {parts->time_ticks - asleep - queued, is_known ? "work" : "work and waiting"},
        {queued, "queued"},
        {asleep, parts->is_measured ? "asleep" : "asleep (by names)"},
        {parts->profiler_ticks, "profiler"}};
    const double rounding = 1e-9 * parts->time_ticks; /* of a difference of sums */
    size_t count = 0;
    for (size_t i = 0; i < NYTP_TIME_PARTS; i++)
        if (i == 0 || all[i].ticks > rounding)
            list[count++] = all[i];
    return count;
}

char *nytp_time_parts_text(const nytp_time_parts *parts, const nytp_measure *measure)
{
    nytp_time_part list[NYTP_TIME_PARTS];
    const size_t count = nytp_time_parts_list(parts, list);
    g_autoptr(GString) text = g_string_new(NULL);
    if (count > 1)
        g_string_printf(text,
                        "%s = ", nytp_amount_ticks(measure, parts->time_ticks + MAX(parts->profiler_ticks, 0)).text);
    for (size_t i = 0; i < count; i++)
        g_string_append_printf(text, "%s%s %s", i > 0 ? " + " : "", nytp_amount_ticks(measure, list[i].ticks).text,
                               list[i].name);
    return g_strdup(text->str);
}
