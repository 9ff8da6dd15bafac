/* Another kernel for nytp-record and the collector: one that refuses what older ones do not have, or what
 * says what a thread does, or that says what the test wants.
 *
 *   REFUSED='perf_event_open sched_setattr openat2 schedstat sched' refuses those of them
 *   RUNS=0.3 WAITS=0.1 has each thread run for 0.3 of the time, and wait for a processor for 0.1 of it
 *   LD_PRELOAD=other-kernel.so nytp-record ...
 *
 * RUNS and WAITS are of the time since the machine was started.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_openat2
#define SYS_openat2 437
#endif

enum { MOST_FILES = 1024 };
static bool is_schedstat[MOST_FILES];

static bool is_refused(const char *what)
{
    const char *list = getenv("REFUSED"), *at = list != NULL ? strstr(list, what) : NULL;
    return at != NULL && (at[strlen(what)] == ' ' || at[strlen(what)] == '\0') &&
           (at == list || at[-1] == ' ');
}

/* The C library's headers have names that are its own.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
long syscall(long number, ...)
{
    long a[6];
    va_list arguments;
    va_start(arguments, number);
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        a[i] = va_arg(arguments, long);
    va_end(arguments);
    if ((number == SYS_perf_event_open && (is_refused("perf_event_open") || getenv("RUNS") != NULL)) ||
        (number == SYS_sched_setattr && is_refused("sched_setattr"))) {
        errno = EACCES;
        return -1;
    }
    if (number == SYS_openat2 && is_refused("openat2")) {
        errno = ENOSYS;
        return -1;
    }
    long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static int open_at(int directory, const char *path, int flags, int mode)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    if (is_refused(name)) {
        errno = ENOENT;
        return -1;
    }
    int (*real)(int, const char *, int, ...) =
        (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");
    const int fd = real(directory, path, flags, mode);
    if (fd >= 0 && fd < MOST_FILES)
        is_schedstat[fd] = strcmp(name, "schedstat") == 0;
    return fd;
}

int openat(int directory, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const int mode = va_arg(arguments, int);
    va_end(arguments);
    return open_at(directory, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const int mode = va_arg(arguments, int);
    va_end(arguments);
    return open_at(AT_FDCWD, path, flags, mode);
}

ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
    struct timespec now;
    const char *runs = getenv("RUNS"), *waits = getenv("WAITS");
    if (fd < 0 || fd >= MOST_FILES || !is_schedstat[fd] || runs == NULL) {
        ssize_t (*real)(int, void *, size_t, off_t) =
            (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");
        return real(fd, to, size, offset);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double ns = (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
    const double run = strtod(runs, NULL), wait = waits != NULL ? strtod(waits, NULL) : 0;
    return snprintf(to, size, "%.0f %.0f %d\n", ns * run, ns * wait, run > 0);
}

#ifdef __GLIBC__ /* As the collector calls them, since perl is built for large files. */
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int directory, const char *path, int flags, ...) __attribute__((alias("openat")));
ssize_t pread64(int fd, void *to, size_t size, off64_t offset) __attribute__((alias("pread")));
#endif
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
