#include "findings/finder.h"

#include "model/states.h"

/* The collector measures what its handlers take and leaves it out of the times. What it cannot see, such as
 * caches that it fills, grows with that. */
void nytp_find_profiler(nytp_finder *f)
{
    const double most_share = 0.5;
    const double ticks = nytp_profile_overhead_ticks(f->profile);
    if (ticks > most_share * f->work_ticks)
        nytp_find(f, NYTP_FOUND_PROFILER, ticks,
                  (nytp_found_place){.subject = "the profiler", .sub = UINT32_MAX},
                  "took as long as a large part of the program, so times of short subs are not exact");
}
