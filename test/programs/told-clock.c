/* A CLOCK_REALTIME that passes only if the program sleeps, accepts a connection or asks for the time, so that
 * times are known exactly, however busy the machine is. A sleep takes what was asked for and returns at once,
 * accept4() takes 150 ms, time() 1 ms, clock_gettime() 100 ns. At the Nth clock_gettime() of a process, the
 * program is queued for 3 ms, which the time of its processor and its switches tell, too.
 *
 *   LD_PRELOAD=told-clock.so [QUEUED_AT=N] program
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const long long SECOND_NS = 1000000000;
static _Atomic long long now_ns = 1000000000000000; /* a round number of seconds */

static _Atomic long long queued_ns;

static long long pass(long long ns)
{
    return atomic_fetch_add(&now_ns, ns) + ns;
}

/* Returns how long the program is queued at this reading. */
static long long queue(void)
{
    static _Atomic long readings;
    const char *at = getenv("QUEUED_AT");
    const bool is_queued = atomic_fetch_add(&readings, 1) + 1 == (at != NULL ? strtol(at, NULL, 10) : 0);
    const long long ns = is_queued ? 3000000 : 0;
    queued_ns += ns;
    return ns;
}

static void set(struct timespec *t, long long ns)
{
    t->tv_sec = ns / SECOND_NS;
    t->tv_nsec = ns % SECOND_NS;
}

/* The C library's headers have names that are its own.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
int clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    const bool is_told = getenv("QUEUED_AT") != NULL && id == CLOCK_THREAD_CPUTIME_ID;
    if (id == CLOCK_REALTIME)
        set(t, pass(100 + queue()));
    else if (real(is_told ? CLOCK_MONOTONIC : id, t) != 0)
        return -1;
    else if (is_told)
        set(t, t->tv_sec * SECOND_NS + t->tv_nsec - queued_ns);
    return 0;
}

int getrusage(int who, struct rusage *usage)
{
    static int (*real)(int, struct rusage *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "getrusage");
    const int rc = real(who, usage);
    if (getenv("QUEUED_AT") == NULL)
        return rc;
    usage->ru_nvcsw = 0;
    usage->ru_nivcsw = queued_ns > 0;
    return rc;
}

time_t time(time_t *t)
{
    time_t seconds = pass(1000000) / SECOND_NS;
    if (t != NULL)
        *t = seconds;
    return seconds;
}

unsigned sleep(unsigned seconds)
{
    pass(seconds * SECOND_NS);
    return 0;
}

/* As perl sleeps for less than a second: without descriptors. */
int select(int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    if (in != NULL || out != NULL || other != NULL || timeout == NULL)
        abort();
    (void)count;
    pass(timeout->tv_sec * SECOND_NS + timeout->tv_usec * 1000LL);
    return 0;
}

/* As perl calls it. */
int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    static int (*real)(int, struct sockaddr *, socklen_t *, int);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "accept4");
    pass(150000000);
    return real(fd, address, length, flags);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
