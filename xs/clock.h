/* Time, as counts of whatever counter is cheapest to read.
 *
 * Where the kernel itself keeps CLOCK_MONOTONIC by the processor's counter, that
 * counter is read directly; a read costs about 10 ns instead of 25 or more. Else,
 * and for any other clock, counts are nanoseconds of clock_gettime(). Ticks, the
 * unit of a profile, are 100 ns (PROF_TICKS_PER_S).
 */
#ifndef PROF_CLOCK_H
#define PROF_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined __x86_64__
#include <x86intrin.h>
#endif

enum { PROF_TICKS_PER_S = 10000000 };

typedef struct prof_clock {
    bool counter;         /* the processor's; else clock_gettime(id) */
    clockid_t id;         /* the POSIX clock that is measured */
    uint64_t read_counts; /* what reading it takes */
    uint64_t scale;       /* ticks per count, times 2^64 */
    uint64_t base_count;  /* long before the last refinement ... */
    int64_t base_ticks;   /* ... and what it was worth */
    uint64_t first_count; /* at the start, or after the last leap ... */
    int64_t first_ns;     /* ... and CLOCK_MONOTONIC then */
    uint64_t known_count; /* at the last refinement ... */
    int64_t known_ns;     /* ... CLOCK_MONOTONIC then ... */
    uint64_t known_at;    /* ... and the count that was refined at */
} prof_clock;

/* id -1: CLOCK_MONOTONIC by the cheapest way. Another clock that fails: CLOCK_REALTIME. Takes a fifth of a
 * ms. */
void prof_clock_start(prof_clock *clock, int id);

/* Now that more time has passed the counter's rate is known better. ticks goes on without a jump; but when
 * the counter leapt, forwards or back, as it does while a machine is suspended, by what CLOCK_MONOTONIC says
 * has passed: then the result is true. count is of active time: what it lacks is no time that ticks have. */
bool prof_clock_refine(prof_clock *clock, uint64_t count);

/* The processor's counter, where there is one to read. */
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

static inline uint64_t prof_now(const prof_clock *clock)
{
    if (clock->counter)
        return prof_counter();
    struct timespec t;
    clock_gettime(clock->id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline double prof_ticks_per_count(const prof_clock *clock)
{
    return (double)clock->scale / 0x1p64;
}

/* count is never before base_count. */
static inline int64_t prof_ticks(const prof_clock *clock, uint64_t count)
{
    __extension__ typedef unsigned __int128 wide;
    return clock->base_ticks + (int64_t)((wide)(count - clock->base_count) * clock->scale >> 64);
}

#endif
