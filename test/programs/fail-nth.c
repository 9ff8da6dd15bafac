/* Makes calls of a function from one of our own objects fail: the nth one, or all from the nth on.
 *
 *   FAULT="write 3 nytprofcalls" FAULT_TOLD=FILE LD_PRELOAD=fail-nth.so nytprofcalls nytprof.out
 *   FAULT="malloc 7+ NYTProf.so" ...
 *
 * Each time, a line is appended to FILE: the function, and where in the object it was called. Calls of other
 * objects succeed, so that perl itself works under a collector in trouble. If the object is the program, its
 * streams write through the write() here, since libc's own calls of write() cannot be intercepted.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc calls the parameters of these functions __fd, __old and so on.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

static char function[32], object[64];
static long nth;
static bool and_later;
static unsigned long except[8][2]; /* from and to: parts of the object whose calls succeed */
static bool is_program;            /* the object is the program */
static const char *told;
static atomic_long calls;

#define REAL(name)                                                                                           \
    static __typeof__(&(name)) real;                                                                         \
    if (real == NULL)                                                                                        \
        *(void **)&real = dlsym(RTLD_NEXT, #name);

/* ---- which call it is ---- */

static bool from_object(const void *caller, char *where, size_t size)
{
    Dl_info info;
    if (caller == NULL || dladdr(caller, &info) == 0) /* NULL: a stream of the program */
        return snprintf(where, size, "%s\n", function) > 0 && caller == NULL;
    const char *slash = strrchr(info.dli_fname, '/');
    unsigned long offset = (unsigned long)((const char *)caller - (const char *)info.dli_fbase);
    snprintf(where, size, "%s 0x%lx\n", function, offset);
    for (size_t i = 0; i < sizeof except / sizeof *except; i++)
        if (offset >= except[i][0] && offset < except[i][1])
            return false;
    return strcmp(slash != NULL ? slash + 1 : info.dli_fname, object) == 0;
}

static void tell(const char *where)
{
    long fd = syscall(SYS_openat, AT_FDCWD, told, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0 || syscall(SYS_write, fd, where, strlen(where)) < 0)
        abort();
    syscall(SYS_close, fd);
}

static bool fails(const char *name, const void *caller, int why)
{
    char where[128];
    if (strcmp(name, function) != 0 || !from_object(caller, where, sizeof where))
        return false;
    long n = ++calls;
    if (n != nth && !(and_later && n > nth))
        return false;
    tell(where);
    errno = why;
    return true;
}

#define FAILS(name, why) fails(name, __builtin_return_address(0), why)

/* ---- the functions ---- */

ssize_t read(int fd, void *buffer, size_t size)
{
    REAL(read)
    return FAILS("read", EIO) ? -1 : real(fd, buffer, size);
}

ssize_t write(int fd, const void *data, size_t size)
{
    REAL(write)
    return FAILS("write", ENOSPC) ? -1 : real(fd, data, size);
}

int close(int fd) /* closes the descriptor all the same, as Linux does */
{
    REAL(close)
    bool failing = FAILS("close", EIO);
    int rc = real(fd);
    if (!failing)
        return rc;
    errno = EIO;
    return -1;
}

int rename(const char *from, const char *to)
{
    REAL(rename)
    return FAILS("rename", EACCES) ? -1 : real(from, to);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    REAL(mmap)
    return FAILS("mmap", ENOMEM) ? MAP_FAILED : real(at, size, protection, flags, fd, offset);
}

#ifdef __GLIBC__
void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset)
{
    REAL(mmap64)
    return FAILS("mmap", ENOMEM) ? MAP_FAILED : real(at, size, protection, flags, fd, offset);
}
#endif

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    REAL(pthread_create)
    return FAILS("pthread_create", EAGAIN) ? EAGAIN : real(thread, attributes, start, argument);
}

void *malloc(size_t size)
{
    REAL(malloc)
    return FAILS("malloc", ENOMEM) ? NULL : real(size);
}

void *calloc(size_t count, size_t size)
{
    REAL(calloc)
    return FAILS("malloc", ENOMEM) ? NULL : real(count, size);
}

void *realloc(void *old, size_t size)
{
    REAL(realloc)
    return FAILS("malloc", ENOMEM) ? NULL : real(old, size);
}

char *strdup(const char *text)
{
    REAL(strdup)
    return FAILS("malloc", ENOMEM) ? NULL : real(text);
}

/* ---- streams of the program ---- */

static ssize_t stream_write(void *context, const char *bytes, size_t size)
{
    ssize_t n = fails("write", NULL, ENOSPC) ? -1 : write((int)(intptr_t)context, bytes, size);
    return n < 0 ? 0 : n; /* what such a function returns after a failure */
}

static int stream_close(void *context)
{
    int rc = close((int)(intptr_t)context);
    return fails("close", NULL, EIO) ? -1 : rc;
}

static FILE *stream_of(int fd)
{
    return fopencookie((void *)(intptr_t)fd, "w",
                       (cookie_io_functions_t){.write = stream_write, .close = stream_close});
}

FILE *fdopen(int fd, const char *mode)
{
    REAL(fdopen)
    return is_program ? stream_of(fd) : real(fd, mode);
}

/* Pairs of hexadecimal numbers. */
static void read_except(const char *parts)
{
    const size_t cap = sizeof except / sizeof *except;
    int length;
    for (size_t i = 0; *parts != '\0'; i++, parts += length)
        if (i == cap || sscanf(parts, "%lx %lx %n", &except[i][0], &except[i][1], &length) != 2)
            abort();
}

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("FAULT"), *slash;
    char plus[2], program[256] = "";
    told = getenv("FAULT_TOLD");
    const char *parts = getenv("FAULT_EXCEPT");
    if (fault == NULL || told == NULL)
        return;
    if (parts != NULL)
        read_except(parts);
    and_later = sscanf(fault, "%31s %ld%1[+] %63s", function, &nth, plus, object) == 4;
    if (!and_later && sscanf(fault, "%31s %ld %63s", function, &nth, object) != 3)
        abort();
    if (readlink("/proc/self/exe", program, sizeof program - 1) > 0 &&
        (slash = strrchr(program, '/')) != NULL)
        is_program = strcmp(slash + 1, object) == 0;
#ifdef __GLIBC__ /* elsewhere it cannot be set; of perl, no stream is of stdio */
    if (is_program)
        stdout = stream_of(STDOUT_FILENO);
#endif
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
