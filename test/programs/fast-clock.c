/* A clock that runs a thousand times as fast, for a program that cannot wait; or one that leaps
 * 50 ms at its Nth reading, as if the program had been interrupted there:
 *
 *   LD_PRELOAD=fast-clock.so [LEAP_AT=N] program
 *
 * Only CLOCK_REALTIME and only clock_gettime(): sleeps take their time.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

/* How much later it is. */
static long long leap_ns(const char *leap_at)
{
    static long readings;
    return ++readings < strtol(leap_at, NULL, 10) ? 0 : 50000000;
}

/* The C library's header has names that are its own.
 * NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int rc = real(id, t);
    if (rc != 0 || id != CLOCK_REALTIME)
        return rc;
    static struct timespec start; /* so that the seconds do not leave what perl can count in */
    if (start.tv_sec == 0)
        start = *t;
    long long ns = (t->tv_sec - start.tv_sec) * 1000000000LL + (t->tv_nsec - start.tv_nsec);
    const char *leap_at = getenv("LEAP_AT");
    ns = leap_at != NULL ? ns + leap_ns(leap_at) : ns * 1000;
    t->tv_sec = start.tv_sec + ns / 1000000000;
    t->tv_nsec = ns % 1000000000;
    return 0;
}
