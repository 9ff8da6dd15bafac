#include "basics/cpuwait.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Sets *ns to what the calling thread has waited since it began: the second number of "RUN WAIT SLICES", of
 * which all are 0 if the system does not count. The file is opened each time, because the program may close
 * any descriptor, and use its number for another file. */
static bool read_count(uint64_t *ns)
{
    char line[96];
    const int error_number = errno;
    const int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd >= 0 ? pread(fd, line, sizeof line - 1, 0) : -1;
    if (fd >= 0)
        close(fd);
    errno = error_number;
    if (length <= 0)
        return false;
    line[length] = '\0';
    char *rest;
    const unsigned long long run = strtoull(line, &rest, 10);
    *ns = strtoull(rest, &rest, 10);
    return run > 0 || *ns > 0 || strtoull(rest, NULL, 10) > 0;
}

void prof_cpu_wait_begin(prof_cpu_wait *wait, uint64_t now)
{
    *wait = (prof_cpu_wait){.thread = pthread_self(), .read_at = now};
    wait->counts = read_count(&wait->count_ns);
}

void prof_cpu_wait_pause(prof_cpu_wait *wait, uint64_t now)
{
    wait->off_at = now;
}

void prof_cpu_wait_resume(prof_cpu_wait *wait, uint64_t now)
{
    if (wait->off_at > 0 && now > wait->off_at)
        wait->off += now - wait->off_at;
    wait->off_at = 0;
}

void prof_cpu_wait_move(prof_cpu_wait *wait)
{
    wait->moves = true;
}

static bool is_in_thread(const prof_cpu_wait *wait)
{
    return !wait->moves && pthread_equal(wait->thread, pthread_self());
}

bool prof_cpu_wait_is_due(const prof_cpu_wait *wait, const prof_clock *clock, uint64_t now)
{
    const double least_s = 0.3;
    return !is_in_thread(wait) ||
           (double)(now - wait->read_at) * prof_ticks_per_count(clock) >= least_s * PROF_TICKS_PER_S;
}

/* Returns which share of the time since the last reading was recorded, and begins the next interval. */
static double next_interval(prof_cpu_wait *wait, uint64_t now)
{
    if (wait->off_at > 0) {
        prof_cpu_wait_resume(wait, now);
        prof_cpu_wait_pause(wait, now);
    }
    const uint64_t all = now - wait->read_at, off = wait->off;
    wait->read_at = now;
    wait->off = 0;
    return off < all ? 1 - (double)off / (double)all : off == 0;
}

void prof_cpu_wait_read(prof_cpu_wait *wait, uint64_t now)
{
    uint64_t ns;
    if (!wait->counts || !read_count(&ns))
        return;
    const bool same_thread = is_in_thread(wait);
    const double share = next_interval(wait, now);
    if (same_thread && ns > wait->count_ns)
        wait->sum_s += (double)(ns - wait->count_ns) / 1e9 * share;
    wait->known |= same_thread;
    wait->thread = pthread_self();
    wait->moves = false;
    wait->count_ns = ns;
}
