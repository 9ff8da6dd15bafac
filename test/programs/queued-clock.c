/* The clock of told-clock.c, by which the program is queued for 3 ms at the Nth time that it asks, as the
 * time of its processor and its switches tell, too.
 *
 *   LD_PRELOAD=queued-clock.so QUEUED_AT=N program
 */
#define clock_gettime told_gettime
#include "told-clock.c"
#undef clock_gettime

#include <stdbool.h>
#include <sys/resource.h>

static long queued_at;
static _Atomic long readings;
static _Atomic long long queued_ns;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("QUEUED_AT");
    queued_at = at != NULL ? strtol(at, NULL, 10) : 0;
}

/* The C library's headers have names that are its own.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
int clock_gettime(clockid_t id, struct timespec *t);
int clock_gettime(clockid_t id, struct timespec *t)
{
    const long long wait_ns = 3000000;
    const bool is_of_thread = id == CLOCK_THREAD_CPUTIME_ID;
    if (id == CLOCK_REALTIME && ++readings == queued_at) {
        pass(wait_ns);
        queued_ns += wait_ns;
    }
    if (told_gettime(is_of_thread ? CLOCK_MONOTONIC : id, t) != 0)
        return -1;
    if (is_of_thread) {
        const long long ns = t->tv_sec * SECOND_NS + t->tv_nsec - queued_ns;
        t->tv_sec = ns / SECOND_NS;
        t->tv_nsec = ns % SECOND_NS;
    }
    return 0;
}

int getrusage(int who, struct rusage *usage)
{
    static int (*real)(int, struct rusage *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "getrusage");
    const int rc = real(who, usage);
    usage->ru_nvcsw = 0;
    usage->ru_nivcsw = queued_ns > 0;
    return rc;
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
