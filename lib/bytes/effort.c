#include "bytes/deflate.h"

#include "base/cgroups.h"
#include "base/small_file.h"
#include "base/time_ns.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { LOW_AFTER_WAIT = 8 /* blocks */, LOW_MOST = 1024 };

/* How many threads run or wait for a processor now, on the whole machine; 0 if the system does not say it.
 * The file has "LOAD LOAD LOAD RUNNING/ALL LAST_PID". */
static long running_threads(void)
{
    char line[96];
    if (!nytp_small_file_read("/proc/loadavg", line, sizeof line))
        return 0;
    const char *at = line;
    for (int loads = 0; loads < 3 && at != NULL; loads++)
        at = strchr(at + 1, ' ');
    return at != NULL ? strtol(at, NULL, 10) : 0;
}

/* A group that may use less than two processors takes from the program what this thread uses. */
static bool has_quota(nytp_effort *e)
{
    if (e->quota == 0)
        e->quota = nytp_cgroup_processors("/proc/self/cgroup", "/sys/fs/cgroup");
    return e->quota >= 2;
}

/* Whether the program and this thread can both run. */
static bool has_processor(nytp_effort *e)
{
    cpu_set_t allowed;
    const int processors = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    const long running = processors > 1 ? running_threads() : 0;
    return running > 0 && running <= processors && has_quota(e);
}

nytp_deflate_effort nytp_effort_begin(nytp_effort *e, nytp_deflate_effort has_time_for)
{
    if (e->low_left > 0) {
        e->low_left--;
        return NYTP_EFFORT_LOW;
    }
    if (has_time_for == NYTP_EFFORT_LOW || !has_processor(e))
        return NYTP_EFFORT_LOW;
    e->run_ns = nytp_time_ns(CLOCK_THREAD_CPUTIME_ID);
    e->began_ns = nytp_time_ns(CLOCK_MONOTONIC);
    return has_time_for;
}

void nytp_effort_end(nytp_effort *e)
{
    const int64_t all_ns = nytp_time_ns(CLOCK_MONOTONIC) - e->began_ns,
                  waited_ns = all_ns - (nytp_time_ns(CLOCK_THREAD_CPUTIME_ID) - e->run_ns);
    if (waited_ns > all_ns / 4) {
        e->low_left = e->low_next > 0 ? e->low_next : LOW_AFTER_WAIT;
        e->low_next = e->low_left < LOW_MOST ? 2 * e->low_left : LOW_MOST;
    } else {
        e->low_next = 0;
    }
}
