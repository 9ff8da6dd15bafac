#include "output/outfile.h"

#include "base/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool prof_outfile_open(prof_outfile *file, const char *path, const char **why)
{
    struct stat opened;
    *file = (prof_outfile){.fd = -1};
    file->fd = nytp_newfile_create(path, getpid(), false, &file->path);
    if (file->fd < 0 || fstat(file->fd, &opened) != 0) {
        *why = strerror(errno);
        prof_outfile_close(file);
        prof_outfile_free(file);
        return false;
    }
    file->device = opened.st_dev;
    file->inode = opened.st_ino;
    return true;
}

void prof_outfile_move_up(prof_outfile *file)
{
    /* Not past 1024: the table grows with the highest descriptor, and fork() copies it. */
    enum { LIKELY_LIMIT = 1024, BELOW_LIMIT = 20 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    int most = limit.rlim_cur < LIKELY_LIMIT ? (int)limit.rlim_cur : LIKELY_LIMIT;
    int fd = most > BELOW_LIMIT ? fcntl(file->fd, F_DUPFD_CLOEXEC, most - BELOW_LIMIT) : -1;
    if (fd < 0)
        return;
    close(file->fd);
    file->fd = fd;
}

static bool is_ours(const prof_outfile *file, int fd)
{
    struct stat now;
    return fd >= 0 && fstat(fd, &now) == 0 && now.st_dev == file->device && now.st_ino == file->inode;
}

/* close_range(2), Linux 5.9; older systems and some containers refuse it. */
void prof_outfile_unshare_fd(prof_outfile *file)
{
#ifdef SYS_close_range
    const unsigned unshare_table = 1U << 1; /* CLOSE_RANGE_UNSHARE, from linux/close_range.h */
    unsigned fd = (unsigned)file->fd;
    if (syscall(SYS_close_range, fd + 1, ~0U, unshare_table) != 0)
        return;
    if (fd > 0)
        syscall(SYS_close_range, 0, fd - 1, 0);
    if (!is_ours(file, file->fd)) { /* the program has closed it already */
        close(file->fd);
        file->fd = -1;
    }
    file->unshared = true;
#else
    (void)file;
#endif
}

void prof_outfile_close_unshared_fd(prof_outfile *file)
{
    if (!file->unshared)
        return;
    close(file->fd);
    file->fd = -1;
    file->unshared = false;
}

void prof_outfile_close_shared_fd(const prof_outfile *file, int fd)
{
    if (is_ours(file, fd))
        close(fd);
}

/* Opens the file again, after the program closed the descriptor. Its number may belong to another file of the
 * program by now. Returns 0 or -errno. */
static int reopen(prof_outfile *file)
{
    file->fd = -1;
    int fd = open(file->path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
    if (fd < 0)
        return -errno;
    if (!is_ours(file, fd) || !nytp_newfile_lock(fd)) {
        close(fd);
        return -ESTALE;
    }
    file->fd = fd;
    prof_outfile_move_up(file);
    return 0;
}

void prof_outfile_close(prof_outfile *file)
{
    if (file->fd >= 0 && (file->unshared || is_ours(file, file->fd)))
        close(file->fd);
    file->fd = -1;
}

void prof_outfile_free(prof_outfile *file)
{
    free(file->path);
    file->path = NULL;
}

/* Removes a pending signal that write() has raised, unless it was pending before. */
static void consume_signal(int signal_number, const sigset_t *pending_before)
{
    static const struct timespec at_once = {0, 0};
    sigset_t set;
    if (sigismember(pending_before, signal_number))
        return;
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    sigtimedwait(&set, NULL, &at_once);
}

/* Returns 0 if the write can be tried again, or else -errno. */
static int write_failed(prof_outfile *file, int error_number, const sigset_t *pending_before)
{
    struct pollfd ready = {.fd = file->fd, .events = POLLOUT};
    switch (error_number) {
    case EINTR: return 0;
    case EAGAIN: poll(&ready, 1, -1); return 0;
    case EPIPE: consume_signal(SIGPIPE, pending_before); return -error_number;
    case EFBIG: consume_signal(SIGXFSZ, pending_before); return -error_number;
    default: return -error_number;
    }
}

/* Makes sure that fd is the file. Returns 0 or -errno. */
static int ensure_fd(prof_outfile *file)
{
    bool good = file->unshared ? file->fd >= 0 : is_ours(file, file->fd);
    return good ? 0 : reopen(file);
}

int prof_outfile_use_fd(prof_outfile *file, int fd)
{
    file->fd = fd;
    return ensure_fd(file);
}

int prof_outfile_write(prof_outfile *file, const void *data, size_t size)
{
    const char *at = data;
    sigset_t pending;
    sigpending(&pending);
    while (size > 0) {
        int rc = ensure_fd(file);
        if (rc != 0)
            return rc;
        ptrdiff_t n = write(file->fd, at, size);
        if (n >= 0) {
            at += n;
            size -= (size_t)n;
            file->size_bytes += n;
        } else if ((rc = write_failed(file, errno, &pending)) != 0) {
            return rc;
        }
    }
    return 0;
}

int prof_outfile_cut(prof_outfile *file, off_t size_bytes)
{
    int rc = nytp_newfile_is_device(file->path) ? -ESPIPE : ensure_fd(file);
    if (rc != 0)
        return rc;
    if (ftruncate(file->fd, size_bytes) != 0 || lseek(file->fd, size_bytes, SEEK_SET) < 0)
        return -errno;
    file->size_bytes = size_bytes;
    return 0;
}
