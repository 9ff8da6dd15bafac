#include "basics/usage.h"

#include "base/small_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Files are opened each time, because the program may close any descriptor, and use its number for another
 * file. */

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

static bool read_counts(prof_cpu_counts *counts)
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
    times->is_counted = read_counts(&times->counts);
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
    if (!times->is_counted || !read_counts(&counts))
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
