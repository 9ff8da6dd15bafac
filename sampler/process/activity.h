/* What a thread does: whether it runs, waits for a processor or sleeps, and for how long it did each.
 *
 * The kernel counts both times in ns. /proc/PID/task/TID/schedstat has them as of the last tick of the clock
 * or the last switch to another thread, whichever was later. The time of running is exact where the kernel
 * notes all switches (switches.h), which some systems refuse. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum sampler_doing {
    SAMPLER_RUNS,
    SAMPLER_WAITS,    /* for a processor */
    SAMPLER_SLEEPS,   /* until something happens: a timer, a request, a disk */
    SAMPLER_IS_READY, /* runs or waits, which cannot be told */
};

/* Where times come from. */
enum sampler_source {
    SAMPLER_SOURCE_PERF,      /* both from schedstat, and what it runs since then from switches.h */
    SAMPLER_SOURCE_SCHEDSTAT, /* both from schedstat */
    SAMPLER_SOURCE_CLOCK,     /* run from the clock of the process, in steps of a tick; wait is not known */
};
extern const char *const sampler_source_names[];

/* Times since an unspecified moment. */
typedef struct sampler_times {
    int64_t run_ns, wait_ns;
} sampler_times;

typedef struct sampler_activity sampler_activity;

/* Returns NULL if there is no such thread; errno says why. */
sampler_activity *sampler_activity_new(pid_t pid, pid_t tid);
void sampler_activity_free(sampler_activity *activity); /* NULL is fine */

enum sampler_source sampler_activity_source(const sampler_activity *activity);

/* Looks at the thread, just before its stack is read. Returns false if it has ended. */
bool sampler_activity_begin(sampler_activity *activity);

/* Returns when it has ended, by sampler_now_ns(); 0: that is not known, or it goes on. */
int64_t sampler_activity_ended_ns(const sampler_activity *activity);

/* Whether it was ready to run then. */
bool sampler_activity_is_ready(const sampler_activity *activity);

/* Returns what it did from sampler_activity_begin() to now, just after its stack was read. */
enum sampler_doing sampler_activity_end(sampler_activity *activity);

/* Returns its times as of sampler_activity_begin(). */
sampler_times sampler_activity_times(sampler_activity *activity);

/* Returns the processor time of its process, that of all threads, in seconds; negative if it has ended. */
double sampler_activity_process_cpu_s(const sampler_activity *activity);
