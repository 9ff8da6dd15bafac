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

/* The system counts what a thread has run when its clock ticks, and when the thread asks for that time. */
bool prof_cpu_counts_read(prof_cpu_counts *counts)
{
    (void)prof_clock_ns(CLOCK_THREAD_CPUTIME_ID);
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

static bool read_switches(prof_offcpu_reading *now)
{
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) != 0)
        return false;
    now->voluntary = usage.ru_nvcsw;
    now->involuntary = usage.ru_nivcsw;
    return true;
}

static bool has_switched(const prof_offcpu_reading *a, const prof_offcpu_reading *b)
{
    return a->voluntary != b->voluntary || a->involuntary != b->involuntary;
}

static bool is_counted(void)
{
    struct timespec t;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0 && clock_gettime(CLOCK_MONOTONIC, &t) == 0;
}

static void read_delay(const prof_offcpu *off, prof_offcpu_reading *now)
{
    prof_cpu_counts counts;
    if (off->has_delay && prof_cpu_counts_read(&counts) && counts.wait_ns > now->delay_ns)
        now->delay_ns = counts.wait_ns;
}

static bool is_short(int64_t ns)
{
    return ns < 100000;
}

/* Whether the kinds of the switches leave open how much of the time since the last reading was queued. */
static bool needs_delay(const prof_offcpu *off, const prof_offcpu_reading *now)
{
    enum { MOST_UNREAD = 8 };
    const bool may_differ =
        now->voluntary != off->last.voluntary && now->involuntary != off->last.involuntary;
    return !is_short(now->off_ns - off->last.off_ns) || may_differ || off->unread >= MOST_UNREAD;
}

/* Reads what must be read. If the thread has left its processor meanwhile, what was read first does not have
 * the time that what was read later has: then it reads all of it again. */
static bool read_now(const prof_offcpu *off, prof_offcpu_reading *now)
{
    prof_offcpu_reading after;
    enum { MOST_TRIES = 8 };
    if (!read_switches(now) || !has_switched(now, &off->last))
        return false;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        now->off_ns = off_ns_now();
        now->delay_ns = off->last.delay_ns;
        if (!needs_delay(off, now))
            return true;
        read_delay(off, now);
        if (!read_switches(&after) || !has_switched(now, &after))
            return true;
        now->voluntary = after.voluntary;
        now->involuntary = after.involuntary;
    }
    return true;
}

/* Reads again, as later readings do, if the thread was queued meanwhile: else the delay would lack what the
 * time has, and the next interval would have it. */
static bool begin(prof_offcpu *off)
{
    prof_cpu_counts counts;
    prof_offcpu_reading now = {0};
    *off = (prof_offcpu){.thread = pthread_self(), .last = {.voluntary = -1, .involuntary = -1}};
    off->has_delay = prof_cpu_counts_read(&counts);
    const bool is_known = read_now(off, &now);
    off->last = now;
    return is_known;
}

bool prof_offcpu_begin(prof_offcpu *off)
{
    const int error = errno;
    const bool works = is_counted() && begin(off);
    errno = error;
    return works;
}

/* Returns how much of ns the thread was queued. Of a growth of the delay that is more, the rest is given
 * later: it is that of short waits for which the delay was not read. */
static int64_t queued_of(prof_offcpu *off, const prof_offcpu_reading *now, int64_t ns)
{
    const bool was_voluntary = now->voluntary != off->last.voluntary;
    if (!needs_delay(off, now)) {
        off->unread += was_voluntary;
        off->given_ns += was_voluntary ? 0 : ns;
        return was_voluntary ? 0 : ns;
    }
    const int64_t growth = (int64_t)(now->delay_ns - off->last.delay_ns) - off->given_ns;
    off->unread = 0;
    off->given_ns = growth > ns ? ns - growth : 0;
    /* The delay lacks what other machines of the host took. */
    return was_voluntary && growth < ns ? (growth > 0 ? growth : 0) : ns;
}

static bool read_since(prof_offcpu *off, int64_t *asleep_ns, int64_t *queued_ns)
{
    prof_offcpu_reading now;
    if (!pthread_equal(off->thread, pthread_self())) {
        begin(off);
        return false;
    }
    if (!read_now(off, &now))
        return false;
    const int64_t ns = now.off_ns > off->last.off_ns ? now.off_ns - off->last.off_ns : 0;
    *queued_ns = queued_of(off, &now, ns);
    *asleep_ns = ns - *queued_ns;
    off->last = now;
    off->kept_ns = off->counted_ns = 0;
    return ns > 0;
}

bool prof_offcpu_read(prof_offcpu *off, int64_t *asleep_ns, int64_t *queued_ns)
{
    const int error = errno;
    const bool any = read_since(off, asleep_ns, queued_ns);
    errno = error;
    return any;
}

void prof_offcpu_keep(prof_offcpu *off, int64_t asleep_ns, int64_t queued_ns)
{
    if (asleep_ns + queued_ns <= 0)
        return;
    off->last.off_ns -= asleep_ns + queued_ns;
    off->given_ns -= queued_ns;
    off->last.voluntary--;
    off->kept_ns = asleep_ns;
}

static int64_t leave_out_asleep(prof_offcpu *off, int64_t interval_ns)
{
    const int64_t kept_ns = off->kept_ns, counted_ns = off->counted_ns;
    int64_t asleep_ns, queued_ns;
    if (!read_since(off, &asleep_ns, &queued_ns))
        return 0;
    const int64_t not_kept_ns = asleep_ns > kept_ns ? asleep_ns - kept_ns : 0,
                  out_ns = not_kept_ns < interval_ns ? not_kept_ns : interval_ns,
                  off_ns = asleep_ns - out_ns + queued_ns - counted_ns, rest_ns = interval_ns - out_ns,
                  counts_ns = off_ns < rest_ns ? off_ns : rest_ns;
    prof_offcpu_keep(off, asleep_ns - out_ns, queued_ns);
    if (counts_ns <= 0)
        return 0;
    off->counted_ns = counted_ns + counts_ns;
    return counts_ns;
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
