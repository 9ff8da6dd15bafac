/* A clock that runs a thousand times as fast, so that tests need not wait; or one that leaps: 50 ms at its
 * Nth reading, as if the program had been interrupted there, or S seconds, half a second after its first
 * reading.
 *
 *   LD_PRELOAD=fast-clock.so [FAST_CLOCK=ID] [LEAP_AT=N | LEAP_S=S] program
 *
 * Only that clock (default CLOCK_REALTIME) and only clock_gettime(): sleeps take their time.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

/* The time that a program is given when so many ns of the real clock have passed. */
static long long passed_ns(long long ns)
{
    static long readings;
    const char *leap_at = getenv("LEAP_AT"), *leap_s = getenv("LEAP_S");
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
