#include "sampler/process/activity.h"

#include "sampler/process/clock.h"
#include "sampler/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *const sampler_source_names[] = {[SAMPLER_SOURCE_PERF] = "perf",
                                            [SAMPLER_SOURCE_SCHEDSTAT] = "schedstat",
                                            [SAMPLER_SOURCE_CLOCK] = "clock"};

struct sampler_activity {
    int stat, schedstat, counter, sched; /* descriptors; -1: there is none */
    int own_sched;                       /* of this thread */
    bool is_thread;                      /* not the first one of its process */
    clockid_t clock;                     /* of the process */
    enum sampler_source source;
    bool is_ready;
    enum sampler_doing ready; /* what is known of it if it is ready, at the beginning */
    int64_t count_ns;         /* of the counter when it was begun */
    sampler_times now;        /* when it was begun */
};

static int open_file(pid_t pid, pid_t tid, const char *name)
{
    char path[80];
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/%s", (long)pid, (long)tid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Kernels let users count what happens outside of the kernel only. This counter has all time nevertheless. */
static int open_counter(pid_t tid)
{
    struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
                                         .size = sizeof attributes,
                                         .config = PERF_COUNT_SW_TASK_CLOCK,
                                         .exclude_kernel = 1,
                                         .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &attributes, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool read_counter(const sampler_activity *a, int64_t *count_ns)
{
    return a->counter >= 0 && read(a->counter, count_ns, sizeof *count_ns) == (ssize_t)sizeof *count_ns;
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
    const double its_ms = exec_start_ms(a->sched), own_ms = exec_start_ms(a->own_sched);
    if (its_ms < 0 || own_ms < 0)
        return SAMPLER_IS_READY;
    return own_ms - its_ms < least_ms ? SAMPLER_RUNS : SAMPLER_WAITS;
}

/* Others may read the clock of a process, but not that of a thread. */
static int64_t coarse_run_ns(const sampler_activity *a, const sampler_process *p)
{
    return a->is_thread ? p->cpu_ticks * (SAMPLER_SECOND_NS / sysconf(_SC_CLK_TCK))
                        : sampler_clock_ns(a->clock);
}

static void choose_source(sampler_activity *a, pid_t pid)
{
    sampler_times times;
    const bool has_times = read_schedstat(a, &times);
    a->source = !has_times        ? SAMPLER_SOURCE_CLOCK
                : a->counter >= 0 ? SAMPLER_SOURCE_PERF
                                  : SAMPLER_SOURCE_SCHEDSTAT;
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
    a->own_sched = open("/proc/thread-self/sched", O_RDONLY | O_CLOEXEC);
    a->counter = open_counter(tid);
    a->is_thread = tid != pid;
    choose_source(a, pid);
    return a;
}

void sampler_activity_free(sampler_activity *a)
{
    if (a == NULL)
        return;
    const int all[] = {a->stat, a->schedstat, a->counter, a->sched, a->own_sched};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] >= 0)
            close(all[i]);
    free(a);
}

enum sampler_source sampler_activity_source(const sampler_activity *a)
{
    return a->source;
}

/* Whether it runs on another processor at this moment, so that its counter does not stand still. */
static bool runs_now(const sampler_activity *a, int64_t count_ns)
{
    int64_t again_ns;
    return a->source == SAMPLER_SOURCE_PERF && count_ns != a->now.run_ns && read_counter(a, &again_ns) &&
           again_ns != count_ns;
}

/* Sets what it does, and its times but for those of the counter. Returns false if it has ended. */
static bool look(sampler_activity *a)
{
    sampler_process p;
    if (!sampler_process_read_thread(&p, a->stat) || sampler_process_has_ended(&p))
        return false;
    a->is_ready = p.state == 'R';
    a->ready = a->is_ready && p.processor == sched_getcpu() ? before_this_one(a) : SAMPLER_IS_READY;
    if (a->source == SAMPLER_SOURCE_CLOCK)
        a->now = (sampler_times){coarse_run_ns(a, &p), 0};
    return true;
}

bool sampler_activity_begin(sampler_activity *a)
{
    const bool has_count = read_counter(a, &a->count_ns);
    if (has_count && runs_now(a, a->count_ns)) {
        a->is_ready = true;
        a->ready = SAMPLER_RUNS;
    } else if (!look(a)) {
        return false;
    }
    if (a->source != SAMPLER_SOURCE_CLOCK)
        read_schedstat(a, &a->now);
    if (has_count && a->source == SAMPLER_SOURCE_PERF)
        a->now.run_ns = a->count_ns;
    return true;
}

bool sampler_activity_is_ready(const sampler_activity *a)
{
    return a->is_ready;
}

enum sampler_doing sampler_activity_end(sampler_activity *a)
{
    int64_t count_ns;
    if (!a->is_ready)
        return SAMPLER_SLEEPS;
    if (a->ready != SAMPLER_IS_READY || !read_counter(a, &count_ns))
        return a->ready;
    return count_ns != a->count_ns ? SAMPLER_RUNS : SAMPLER_WAITS;
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
