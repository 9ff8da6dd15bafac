/* The clock: counts of the counter that is cheapest to read, and their conversion to ticks.
 *
 * If the kernel derives CLOCK_MONOTONIC from the processor's counter, we read that counter directly, which
 * takes about 10 ns instead of 25 or more. Otherwise, and for any other clock, counts are nanoseconds of
 * clock_gettime(). Ticks, the unit of a profile, are 100 ns (PROF_TICKS_PER_S).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined __x86_64__
#include <x86intrin.h>
#endif

enum { PROF_TICKS_PER_S = 10000000, PROF_TICK_NS = 1000000000 / PROF_TICKS_PER_S };

typedef struct prof_clock {
    bool counter;         /* counts are those of the processor; otherwise ns of clock_gettime(id) */
    clockid_t id;         /* the POSIX clock that is measured */
    uint64_t read_counts; /* how long reading the clock takes */
    uint64_t scale;       /* ticks per count, times 2^64 */
    uint64_t base_count;  /* a count long before the last refinement ... */
    int64_t base_ticks;   /* ... and its ticks */
    uint64_t first_count; /* the count at the start, or after the last leap ... */
    int64_t first_ns;     /* ... and CLOCK_MONOTONIC at that moment */
    uint64_t known_count; /* the count at the last refinement ... */
    int64_t known_ns;     /* ... CLOCK_MONOTONIC at that moment ... */
    uint64_t known_at;    /* ... and the count of active time */
} prof_clock;

/* Starts the clock with that number; -1: CLOCK_MONOTONIC, read in the cheapest way. If the system does not
 * have the clock, uses CLOCK_REALTIME. Takes 0.2 ms. */
void prof_clock_start(prof_clock *clock, int id);

/* Measures the counter's rate again: the more time has passed, the more exact it is. count: the current count
 * of active time. Ticks continue without a jump, unless the counter has leapt, forwards or back, as it does
 * while a machine is suspended. Then ticks advance by the time that has passed on CLOCK_MONOTONIC, and the
 * result is true. */
bool prof_clock_refine(prof_clock *clock, uint64_t count);

/* Reads the processor's counter; 0 on a processor without one. */
static inline uint64_t prof_counter(void)
{
#if defined __x86_64__
    return __rdtsc();
#elif defined __aarch64__
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return 0;
#endif
}

/* Whether times are those of the processor: they do not pass while the program is off it. */
static inline bool prof_clock_is_of_processor(const prof_clock *clock)
{
    return clock->id == CLOCK_PROCESS_CPUTIME_ID || clock->id == CLOCK_THREAD_CPUTIME_ID;
}

/* Returns the ns of clock_gettime(id). */
uint64_t prof_clock_ns(clockid_t id);

/* Returns the current count. */
static inline uint64_t prof_clock_now(const prof_clock *clock)
{
    return __builtin_expect(clock->counter, true) ? prof_counter() : prof_clock_ns(clock->id);
}

static inline double prof_ticks_per_count(const prof_clock *clock)
{
    return (double)clock->scale / 0x1p64;
}

/* Returns the counts of a time. */
static inline uint64_t prof_counts_of_ms(const prof_clock *clock, double ms)
{
    return (uint64_t)(ms * (PROF_TICKS_PER_S / 1000.0) / prof_ticks_per_count(clock));
}

/* Converts a count, which must not be before base_count. */
static inline int64_t prof_ticks(const prof_clock *clock, uint64_t count)
{
    __extension__ typedef unsigned __int128 wide;
    return clock->base_ticks + (int64_t)((wide)(count - clock->base_count) * clock->scale >> 64);
}

/* Converts a number of counts. */
static inline int64_t prof_ticks_of_counts(const prof_clock *clock, uint64_t counts)
{
    return prof_ticks(clock, clock->base_count + counts) - clock->base_ticks;
}
