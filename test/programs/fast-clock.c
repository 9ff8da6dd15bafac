/* A clock that runs a thousand times as fast, so that tests need not wait; or one that leaps: 50 ms at its
 * Nth reading, as if the program had been interrupted there, or S seconds, half a second after its first
 * reading; or one that passes 61 ns at each reading, but 1220 at each of the first N, and 200 ns at each call
 * of umask(), and shows that in steps of 100 ns.
 *
 *   LD_PRELOAD=fast-clock.so [FAST_CLOCK=ID] [LEAP_AT=N | LEAP_S=S | STEPS=N] program
 *
 * Only that clock (default CLOCK_REALTIME) and only clock_gettime(): sleeps take their time.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

static long long told_ns;

/* The time that a program is given when so many ns of the real clock have passed. */
static long long passed_ns(long long ns)
{
    static long readings;
    const char *leap_at = getenv("LEAP_AT"), *leap_s = getenv("LEAP_S"), *steps = getenv("STEPS");
    if (steps != NULL)
        return (told_ns += ++readings <= strtol(steps, NULL, 10) ? 1220 : 61) / 100 * 100;
    if (leap_at != NULL)
        return ns + (++readings < strtol(leap_at, NULL, 10) ? 0 : 50000000);
    if (leap_s != NULL)
        return ns + (ns < 500000000 ? 0 : strtoll(leap_s, NULL, 10) * 1000000000);
    return ns * 1000;
}

/* The C library's header has names that are its own.
 * NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int rc = real(id, t);
    const char *fast = getenv("FAST_CLOCK");
    if (rc != 0 || id != (fast != NULL ? (clockid_t)strtol(fast, NULL, 10) : CLOCK_REALTIME))
        return rc;
    static struct timespec start; /* so that the seconds stay in the range of perl's integers */
    if (start.tv_sec == 0)
        start = *t;
    const long long ns = passed_ns((t->tv_sec - start.tv_sec) * 1000000000LL + (t->tv_nsec - start.tv_nsec));
    const long long since_ns = start.tv_nsec + ns % 1000000000;
    t->tv_sec = start.tv_sec + ns / 1000000000 + (since_ns < 0 ? -1 : since_ns / 1000000000);
    t->tv_nsec = since_ns < 0 ? since_ns + 1000000000 : since_ns % 1000000000;
    return 0;
}

/* So that a program can have time pass: perl's umask calls it. */
mode_t umask(mode_t mask)
{
    static mode_t (*real)(mode_t);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "umask");
    told_ns += 200;
    return real(mask);
}
