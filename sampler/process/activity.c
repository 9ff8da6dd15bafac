#include "sampler/process/activity.h"

#include "sampler/process/process.h"
#include "sampler/process/switches.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const sampler_source_names[] = {[SAMPLER_SOURCE_PERF] = "perf",
                                            [SAMPLER_SOURCE_SCHEDSTAT] = "schedstat",
                                            [SAMPLER_SOURCE_CLOCK] = "clock"};

/* Of this thread, which samples. */
static sampler_switches *own_switches;
static int own_sched = -1; /* a descriptor; -1: there is none */

struct sampler_activity {
    int stat, schedstat, sched; /* descriptors; -1: there is none */
    sampler_switches *switches; /* NULL: not known */
    int64_t before_ns;          /* it ran before they were noted */
    bool has_switched;          /* since its times were read */
    bool is_thread;             /* not the first one of its process */
    clockid_t clock;            /* of the process */
    enum sampler_source source;
    bool is_ready;
    enum sampler_doing ready; /* what is known of it if it is ready, at the beginning */
    sampler_times now;        /* when it was begun */
    int64_t ended_ns;         /* 0: it goes on, as far as is known */
};

static int open_file(pid_t pid, pid_t tid, const char *name)
{
    char path[80];
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/%s", (long)pid, (long)tid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* RUN WAIT SWITCHES */
static bool read_schedstat(const sampler_activity *a, sampler_times *times)
{
    char text[96];
    ssize_t got = a->schedstat >= 0 ? pread(a->schedstat, text, sizeof text - 1, 0) : -1;
    if (got <= 0)
        return false;
    text[got] = '\0';
    char *end;
    times->run_ns = strtoll(text, &end, 10);
    times->wait_ns = strtoll(end, NULL, 10);
    return true;
}

/* Returns when a thread was last seen to run, or got or lost a processor, in ms of that processor's clock;
 * negative: not known. The first lines of the file have it. */
static double exec_start_ms(int fd)
{
    char text[256];
    ssize_t got = fd >= 0 ? pread(fd, text, sizeof text - 1, 0) : -1;
    if (got <= 0)
        return -1;
    text[got] = '\0';
    const char *line = strstr(text, "se.exec_start"), *value = line != NULL ? strchr(line, ':') : NULL;
    return value != NULL ? strtod(value + 1, NULL) : -1;
}

/* Of a thread on the same processor: whether it ran until this thread got that, and did not wait then. To be
 * called soon, because a tick of the clock changes when this thread was seen. */
static enum sampler_doing before_this_one(const sampler_activity *a)
{
    const double least_ms = 0.02;
    const double its_ms = exec_start_ms(a->sched), own_ms = exec_start_ms(own_sched);
    if (its_ms < 0 || own_ms < 0)
        return SAMPLER_IS_READY;
    return own_ms - its_ms < least_ms ? SAMPLER_RUNS : SAMPLER_WAITS;
}

/* Others may read the clock of a process, but not that of a thread. */
static int64_t coarse_run_ns(const sampler_activity *a, const sampler_process *p)
{
    return a->is_thread ? p->cpu_ticks * (SAMPLER_SECOND_NS / sysconf(_SC_CLK_TCK)) : nytp_time_ns(a->clock);
}

static void choose_source(sampler_activity *a, pid_t pid, pid_t tid)
{
    const bool has_times = read_schedstat(a, &a->now);
    a->switches = has_times ? sampler_switches_new(tid) : NULL;
    if (own_switches == NULL)
        own_switches = sampler_switches_new(0);
    a->source = !has_times            ? SAMPLER_SOURCE_CLOCK
                : a->switches != NULL ? SAMPLER_SOURCE_PERF
                                      : SAMPLER_SOURCE_SCHEDSTAT;
    a->before_ns = a->now.run_ns;
    if (clock_getcpuclockid(pid, &a->clock) != 0)
        a->clock = CLOCK_MONOTONIC; /* it has ended, which will be noticed */
}

sampler_activity *sampler_activity_new(pid_t pid, pid_t tid)
{
    sampler_activity *a = calloc(1, sizeof *a);
    if (a == NULL)
        return NULL;
    a->stat = open_file(pid, tid, "stat");
    int error_number = errno;
    if (a->stat < 0) {
        free(a);
        errno = error_number;
        return NULL;
    }
    a->schedstat = open_file(pid, tid, "schedstat");
    a->sched = open_file(pid, tid, "sched");
    if (own_sched < 0)
        own_sched = open("/proc/thread-self/sched", O_RDONLY | O_CLOEXEC);
    a->is_thread = tid != pid;
    choose_source(a, pid, tid);
    return a;
}

void sampler_activity_free(sampler_activity *a)
{
    if (a == NULL)
        return;
    sampler_switches_free(a->switches);
    const int all[] = {a->stat, a->schedstat, a->sched};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] >= 0)
            close(all[i]);
    free(a);
}

enum sampler_source sampler_activity_source(const sampler_activity *a)
{
    return a->source;
}

/* Takes its switches until they end. What it ran is known to its end. */
static void take_switches(sampler_activity *a)
{
    if (a->switches != NULL && !sampler_switches_take(a->switches)) {
        a->ended_ns = sampler_switches_ended_ns(a->switches);
        if (a->ended_ns != 0)
            a->now.run_ns = a->before_ns + sampler_switches_run_ns(a->switches, a->ended_ns);
        sampler_switches_free(a->switches);
        a->switches = NULL;
    }
    a->has_switched = a->has_switched || a->switches == NULL || sampler_switches_has_switched(a->switches);
}

/* Whether it lost its processor to this thread, which samples. */
static bool has_made_room(const sampler_activity *a)
{
    const int64_t most_ns = 20000;
    return own_switches != NULL &&
           llabs(sampler_switches_since_ns(own_switches) - sampler_switches_since_ns(a->switches)) < most_ns;
}

/* Sets what it does, and its times but for those of its switches. Returns false if it has ended. */
static bool read_thread(sampler_activity *a)
{
    sampler_process p;
    if (!sampler_process_read_thread(&p, a->stat) || sampler_process_has_ended(&p))
        return false;
    const bool is_noted = a->switches != NULL && !sampler_switches_has_missed(a->switches);
    const bool is_near = !is_noted && p.processor == sched_getcpu();
    a->is_ready = p.state == 'R';
    a->ready = a->is_ready && is_near ? before_this_one(a) : SAMPLER_IS_READY;
    if (a->source == SAMPLER_SOURCE_CLOCK)
        a->now = (sampler_times){coarse_run_ns(a, &p), 0};
    return true;
}

/* The kernel adds a wait to schedstat when the wait ends. The time that the kernel takes to change threads is
 * in schedstat alone, which is complete while the thread does not run. */
static void take_times(sampler_activity *a)
{
    if (a->has_switched)
        a->has_switched = !read_schedstat(a, &a->now);
    if (a->switches == NULL)
        return;
    const int64_t noted_ns = sampler_switches_run_ns(a->switches, sampler_now_ns());
    if (sampler_switches_runs(a->switches))
        a->now.run_ns = a->before_ns + noted_ns;
    else
        a->before_ns = a->now.run_ns - noted_ns;
}

bool sampler_activity_begin(sampler_activity *a)
{
    take_switches(a);
    if (own_switches != NULL) /* each time, since there is room for few */
        sampler_switches_take(own_switches);
    if (a->ended_ns != 0)
        return false;
    if (a->switches != NULL && sampler_switches_is_ready(a->switches)) {
        const bool runs = sampler_switches_runs(a->switches) || has_made_room(a);
        a->is_ready = true;
        a->ready = runs ? SAMPLER_RUNS : SAMPLER_IS_READY;
    } else if (!read_thread(a)) {
        return false;
    }
    if (a->source != SAMPLER_SOURCE_CLOCK)
        take_times(a);
    return true;
}

int64_t sampler_activity_ended_ns(const sampler_activity *a)
{
    return a->ended_ns;
}

bool sampler_activity_is_ready(const sampler_activity *a)
{
    return a->is_ready;
}

enum sampler_doing sampler_activity_end(sampler_activity *a)
{
    if (!a->is_ready)
        return SAMPLER_SLEEPS;
    if (a->ready != SAMPLER_IS_READY || a->switches == NULL)
        return a->ready;
    take_switches(a);
    return a->switches != NULL && sampler_switches_runs(a->switches) ? SAMPLER_RUNS : SAMPLER_WAITS;
}

sampler_times sampler_activity_times(sampler_activity *a)
{
    return a->now;
}

double sampler_activity_process_cpu_s(const sampler_activity *a)
{
    struct timespec used;
    if (a->clock == CLOCK_MONOTONIC || clock_gettime(a->clock, &used) != 0)
        return -1;
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}
