/* A CLOCK_MONOTONIC and a processor's time for recordings that are the same in each run, however busy the
 * machine is. They pass only when they are asked, by 0.1 us to 6.6 ms, each length half as often as half of
 * it, in an order that is always the same; and by what a sleep of select() was asked for, which returns at
 * once.
 *
 *   LD_PRELOAD=even-clock.so program
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/select.h>
#include <time.h>

static const int64_t SECOND_NS = 1000000000;
static const int64_t TICK_NS = 100;
static int64_t now_ns = 1000000000000; /* the programs have one thread */

/* Knuth's linear congruence. Its upper bits are the random ones; bit 16 is set, so that there is a lowest. */
static int64_t next_step_ns(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005 + 1442695040888963407;
    return TICK_NS << __builtin_ctz((unsigned)(state >> 48) | 1U << 16);
}

/* The C library's headers have names that are its own.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
int clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    if (id != CLOCK_MONOTONIC && id != CLOCK_PROCESS_CPUTIME_ID) {
        if (real == NULL)
            *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
        return real(id, t);
    }
    now_ns += next_step_ns();
    t->tv_sec = now_ns / SECOND_NS;
    t->tv_nsec = now_ns % SECOND_NS;
    return 0;
}

/* As perl sleeps for less than a second: without descriptors. */
int select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    static int (*real)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
    if (in == NULL && out == NULL && other == NULL && timeout != NULL) {
        now_ns += timeout->tv_sec * SECOND_NS + timeout->tv_usec * 1000;
        return 0;
    }
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "select");
    return real(count, in, out, other, timeout);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
