#include "basics/clock.h"

#include "base/small_file.h"

#include <math.h>
#include <string.h>

uint64_t prof_clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Reads the counter and CLOCK_MONOTONIC. Returns how long that took. */
static uint64_t try_both(uint64_t *count, int64_t *ns)
{
    const uint64_t before = prof_counter();
    *ns = (int64_t)prof_clock_ns(CLOCK_MONOTONIC);
    const uint64_t took = prof_counter() - before;
    *count = before + took / 2;
    return took;
}

/* Reads both several times, and keeps the pair that took the least time. */
static void read_both(uint64_t *count, int64_t *ns)
{
    enum { TRIES = 8 };
    uint64_t closest = try_both(count, ns);
    for (int i = 1; i < TRIES; i++) {
        uint64_t other_count;
        int64_t other_ns;
        const uint64_t took = try_both(&other_count, &other_ns);
        if (took < closest) {
            closest = took;
            *count = other_count;
            *ns = other_ns;
        }
    }
}

/* Returns whether the kernel derives its time from the counter. Then the counter has a constant rate and is
 * the same on every processor. */
static bool kernel_uses_counter(void)
{
#if defined __x86_64__
    static const char name[] = "tsc\n";
#elif defined __aarch64__
    static const char name[] = "arch_sys_counter\n";
#else
    static const char name[] = "";
#endif
    char line[64];
    static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    return nytp_small_file_read(path, line, sizeof line) && strcmp(line, name) == 0;
}

/* Sets the rate from `count` on, which is `ticks`. The base is weeks before count, because counts of active
 * time may go back: a little, if overhead was overestimated or another processor's counter is late, and to 0
 * if the clock is CPU time and the process has forked. */
static void set_rate(prof_clock *clock, uint64_t count, int64_t ticks, double ticks_per_count)
{
    static const uint64_t weeks_counts = UINT64_C(1) << 52;
    clock->scale = (uint64_t)(ticks_per_count * 0x1p64);
    clock->base_count = count - weeks_counts;
    clock->base_ticks = 0;
    clock->base_ticks = ticks - prof_ticks(clock, count);
}

static double measured_rate(const prof_clock *clock, uint64_t count, int64_t ns)
{
    return (double)(ns - clock->first_ns) / 100.0 / (double)(count - clock->first_count);
}

static void note_known(prof_clock *clock, uint64_t count, int64_t ns, uint64_t at)
{
    clock->known_count = count;
    clock->known_ns = ns;
    clock->known_at = at;
}

/* Measures the rate to two parts in ten thousand, until it is refined. Returns false if the counter is slower
 * than ticks. */
static bool start_counter(prof_clock *clock)
{
    enum { LONG_ENOUGH_NS = 200000 };
    uint64_t count;
    int64_t ns;
    read_both(&clock->first_count, &clock->first_ns);
    do
        read_both(&count, &ns);
    while (ns - clock->first_ns < LONG_ENOUGH_NS);
    const double ticks_per_count = measured_rate(clock, count, ns);
    if (!(ticks_per_count > 0 && ticks_per_count < 1))
        return false;
    clock->counter = true;
    set_rate(clock, count, 0, ticks_per_count);
    note_known(clock, count, ns, count);
    return true;
}

/* Returns how long reading the clock takes: the shortest of several tries. */
static uint64_t reading_takes(const prof_clock *clock)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 16; i++) {
        const uint64_t before = prof_clock_now(clock);
        const uint64_t took = prof_clock_now(clock) - before;
        least = took < least ? took : least;
    }
    return least;
}

static void choose_clock(prof_clock *clock, int id)
{
    struct timespec t;
    memset(clock, 0, sizeof *clock);
    clock->id = id < 0 ? CLOCK_MONOTONIC : id;
    if (id < 0 && kernel_uses_counter() && start_counter(clock))
        return;
    if (clock_gettime(clock->id, &t) != 0)
        clock->id = CLOCK_REALTIME;
    set_rate(clock, prof_clock_now(clock), 0, 0.01);
}

void prof_clock_start(prof_clock *clock, int id)
{
    choose_clock(clock, id);
    clock->read_counts = reading_takes(clock);
}

/* Returns whether the times that have passed according to the clock and the counter differ by more than a
 * second, and by more than an inexact rate explains. */
static bool are_apart(double ticks, double counted_ticks)
{
    const double difference = fabs(ticks - counted_ticks);
    return difference > PROF_TICKS_PER_S && difference > ticks / 100;
}

/* Returns the ticks at count after a leap: the time that passed without the inactive time. If the leap was in
 * the inactive time, the counts of active time are right. */
static int64_t ticks_after_leap(const prof_clock *clock, uint64_t count, double passed_ticks,
                                double inactive_ticks)
{
    if (inactive_ticks < 0 || inactive_ticks > passed_ticks)
        return prof_ticks(clock, count);
    return prof_ticks(clock, clock->known_at) + (int64_t)(passed_ticks - inactive_ticks);
}

bool prof_clock_refine(prof_clock *clock, uint64_t count)
{
    uint64_t now_count;
    int64_t now_ns;
    if (!clock->counter)
        return false;
    read_both(&now_count, &now_ns);
    double rate = prof_ticks_per_count(clock);
    int64_t ticks = prof_ticks(clock, count);
    const double passed_ticks = (double)(now_ns - clock->known_ns) / 100;
    const int64_t counts = (int64_t)(now_count - clock->known_count);
    const bool leapt = are_apart(passed_ticks, (double)counts * rate);
    if (leapt) {
        const int64_t inactive_counts = counts - (int64_t)(count - clock->known_at);
        ticks = ticks_after_leap(clock, count, passed_ticks, (double)inactive_counts * rate);
        clock->first_count = now_count;
        clock->first_ns = now_ns;
    } else {
        rate = measured_rate(clock, now_count, now_ns);
    }
    set_rate(clock, count, ticks, rate);
    note_known(clock, now_count, now_ns, count);
    return leapt;
}
