#include "basics/usage.h"

#include "base/small_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sets *counts to those of a thread since it began: "RUN WAIT SLICES", of which all are 0 if the system does
 * not count. */
static bool read_counts_of(const char *path, prof_cpu_counts *counts)
{
    char line[96], *rest;
    if (!nytp_small_file_read(path, line, sizeof line))
        return false;
    counts->run_ns = strtoull(line, &rest, 10);
    counts->wait_ns = strtoull(rest, &rest, 10);
    return counts->run_ns > 0 || counts->wait_ns > 0 || strtoull(rest, NULL, 10) > 0;
}

bool prof_cpu_counts_read(prof_cpu_counts *counts)
{
    return read_counts_of("/proc/thread-self/schedstat", counts);
}

static void set_thread(prof_cpu_times *times)
{
    times->thread = pthread_self();
    times->thread_id = (pid_t)syscall(SYS_gettid);
}

/* The state follows the name, which may have any characters. */
bool prof_cpu_times_can_run(const prof_cpu_times *times, uint64_t *run_ns)
{
    char path[64], text[128];
    prof_cpu_counts counts;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)times->thread_id);
    const char *name_end = nytp_small_file_read(path, text, sizeof text) ? strrchr(text, ')') : NULL;
    if (name_end == NULL || strncmp(name_end, ") R", 3) != 0)
        return false;
    snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", (int)times->thread_id);
    if (!read_counts_of(path, &counts))
        return false;
    *run_ns = counts.run_ns;
    return true;
}

void prof_cpu_times_begin(prof_cpu_times *times, uint64_t now)
{
    *times = (prof_cpu_times){.read_at = now};
    set_thread(times);
    times->is_counted = prof_cpu_counts_read(&times->counts);
}

void prof_cpu_times_pause(prof_cpu_times *times, uint64_t now)
{
    times->off_at = now;
}

void prof_cpu_times_resume(prof_cpu_times *times, uint64_t now)
{
    if (times->off_at > 0 && now > times->off_at)
        times->off += now - times->off_at;
    times->off_at = 0;
}

void prof_cpu_times_move(prof_cpu_times *times)
{
    times->moves = true;
}

static bool is_in_thread(const prof_cpu_times *times)
{
    return !times->moves && pthread_equal(times->thread, pthread_self());
}

bool prof_cpu_times_is_due(const prof_cpu_times *times, const prof_clock *clock, uint64_t now)
{
    const double least_s = 0.3;
    return !is_in_thread(times) ||
           (double)(now - times->read_at) * prof_ticks_per_count(clock) >= least_s * PROF_TICKS_PER_S;
}

/* Returns which share of the time since the last reading was recorded, and begins the next interval. */
static double next_interval(prof_cpu_times *times, uint64_t now)
{
    if (times->off_at > 0) {
        prof_cpu_times_resume(times, now);
        prof_cpu_times_pause(times, now);
    }
    const uint64_t all = now - times->read_at, off = times->off;
    times->read_at = now;
    times->off = 0;
    return off < all ? 1 - (double)off / (double)all : off == 0;
}

static double grown_s(uint64_t before_ns, uint64_t now_ns)
{
    return now_ns > before_ns ? (double)(now_ns - before_ns) / 1e9 : 0;
}

void prof_cpu_times_read(prof_cpu_times *times, uint64_t now)
{
    prof_cpu_counts counts;
    if (!times->is_counted || !prof_cpu_counts_read(&counts))
        return;
    const bool same_thread = is_in_thread(times);
    const double share = next_interval(times, now);
    if (same_thread) {
        times->run_s += grown_s(times->counts.run_ns, counts.run_ns) * share;
        times->wait_s += grown_s(times->counts.wait_ns, counts.wait_ns) * share;
    }
    times->known |= same_thread;
    set_thread(times);
    times->moves = false;
    times->counts = counts;
}

static int64_t off_ns_now(void)
{
    return (int64_t)(prof_clock_ns(CLOCK_MONOTONIC) - prof_clock_ns(CLOCK_THREAD_CPUTIME_ID));
}

/* Sets how often the thread has left its processor since it began. */
static bool read_switches(long *voluntary, long *involuntary)
{
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) != 0)
        return false;
    *voluntary = usage.ru_nvcsw;
    *involuntary = usage.ru_nivcsw;
    return true;
}

static bool is_counted(void)
{
    struct timespec t;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0 && clock_gettime(CLOCK_MONOTONIC, &t) == 0;
}

static bool begin(prof_offcpu *off)
{
    prof_cpu_counts counts;
    *off = (prof_offcpu){.thread = pthread_self()};
    off->has_delay = prof_cpu_counts_read(&counts);
    if (off->has_delay)
        off->delay_ns = counts.wait_ns;
    off->off_ns = off_ns_now();
    return read_switches(&off->voluntary, &off->involuntary);
}

bool prof_offcpu_begin(prof_offcpu *off)
{
    const int error = errno;
    const bool works = is_counted() && begin(off);
    errno = error;
    return works;
}

/* Returns how much the run delay has grown by what was not given yet. */
static int64_t delay_growth(prof_offcpu *off)
{
    prof_cpu_counts counts;
    if (!off->has_delay || !prof_cpu_counts_read(&counts) || counts.wait_ns < off->delay_ns)
        return 0;
    const int64_t growth = (int64_t)(counts.wait_ns - off->delay_ns) - off->given_ns;
    off->delay_ns = counts.wait_ns;
    off->given_ns = 0;
    off->unread = 0;
    return growth > 0 ? growth : 0;
}

/* Returns how much of ns the thread was queued. Of a growth that is more, the rest is given later: it is that
 * of short waits for which the delay was not read. */
static int64_t queued_of(prof_offcpu *off, int64_t ns, bool was_voluntary, bool was_involuntary)
{
    enum { SHORT_NS = 100000, MOST_UNREAD = 8 };
    const bool is_short = ns < SHORT_NS;
    if (!was_voluntary && is_short) {
        off->given_ns += ns;
        return ns;
    }
    if (!was_involuntary && is_short && ++off->unread < MOST_UNREAD)
        return 0;
    const int64_t growth = delay_growth(off);
    if (growth > ns)
        off->given_ns = ns - growth;
    /* The delay lacks what other machines of the host took. */
    return was_voluntary && growth < ns ? growth : ns;
}

static bool read_since(prof_offcpu *off, int64_t *asleep_ns, int64_t *queued_ns)
{
    long voluntary, involuntary;
    if (!pthread_equal(off->thread, pthread_self())) {
        begin(off);
        return false;
    }
    if (!read_switches(&voluntary, &involuntary) ||
        (voluntary == off->voluntary && involuntary == off->involuntary))
        return false;
    const int64_t now_ns = off_ns_now();
    const int64_t ns = now_ns > off->off_ns ? now_ns - off->off_ns : 0;
    *queued_ns = queued_of(off, ns, voluntary != off->voluntary, involuntary != off->involuntary);
    *asleep_ns = ns - *queued_ns;
    off->off_ns = now_ns;
    off->voluntary = voluntary;
    off->involuntary = involuntary;
    return ns > 0;
}

bool prof_offcpu_read(prof_offcpu *off, int64_t *asleep_ns, int64_t *queued_ns)
{
    const int error = errno;
    const bool any = read_since(off, asleep_ns, queued_ns);
    errno = error;
    return any;
}

/* What is kept is read later as if it had been since now. */
static int64_t leave_out_asleep(prof_offcpu *off, int64_t interval_ns)
{
    int64_t asleep_ns, queued_ns;
    if (!read_since(off, &asleep_ns, &queued_ns))
        return 0;
    const int64_t out_ns = asleep_ns < interval_ns ? asleep_ns : interval_ns;
    const int64_t kept_ns = asleep_ns - out_ns + queued_ns, rest_ns = interval_ns - out_ns;
    if (kept_ns > 0) {
        off->off_ns -= kept_ns;
        off->given_ns -= queued_ns;
        off->voluntary--;
    }
    return queued_ns < rest_ns ? queued_ns : rest_ns;
}

int64_t prof_offcpu_leave_out_asleep(prof_offcpu *off, int64_t interval_ns)
{
    const int error = errno;
    const int64_t queued_ns = leave_out_asleep(off, interval_ns);
    errno = error;
    return queued_ns;
}

void prof_offcpu_leave_out(prof_offcpu *off)
{
    int64_t asleep_ns, queued_ns;
    prof_offcpu_read(off, &asleep_ns, &queued_ns);
}
