/* A CLOCK_REALTIME that passes only if the program sleeps, accepts a connection or asks for the time, so that
 * times are known exactly, however busy the machine is. A sleep takes what was asked for and returns at once,
 * accept4() takes 150 ms, time() 1 ms, clock_gettime() 100 ns.
 *
 *   LD_PRELOAD=told-clock.so program
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const long long SECOND_NS = 1000000000;
static _Atomic long long now_ns = 1000000000000000; /* a round number of seconds */

static long long pass(long long ns)
{
    return atomic_fetch_add(&now_ns, ns) + ns;
}

/* The C library's headers have names that are its own.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
int clock_gettime(clockid_t id, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    if (id != CLOCK_REALTIME) {
        if (real == NULL)
            *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
        return real(id, t);
    }
    long long ns = pass(100);
    t->tv_sec = ns / SECOND_NS;
    t->tv_nsec = ns % SECOND_NS;
    return 0;
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
