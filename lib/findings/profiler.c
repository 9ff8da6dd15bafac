#include "findings/finder.h"

#include "base/str.h"

/* The collector measures what its handlers take and leaves it out of the times. What it cannot see, such as
 * caches that it fills, grows with that. */
void nytp_find_profiler(nytp_finder *f)
{
    const double most_share = 0.5;
    const nytp_setting *s =
        nytp_profile_setting_by_key(f->profile, NYTP_ATTRIBUTE, "cumulative_overhead_ticks");
    const double ticks = s != NULL ? nytp_str_number(s->value) : 0;
    if (ticks > most_share * f->work_ticks)
        nytp_find(f, NYTP_FOUND_PROFILER, ticks,
                  (nytp_found_place){.subject = "the profiler", .sub = UINT32_MAX},
                  "took as long as a large part of the program, so times of short subs are not exact");
}
