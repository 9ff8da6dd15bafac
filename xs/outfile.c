#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- opening ---- */

enum outcome {
    DONE,
    IN_USE,  /* another process is writing a profile there */
    CHANGED, /* another process has replaced the file in between: try again */
    FAILED   /* errno has the reason */
};

/* Returns whether another process holds the lock. On a file system without locks none does. */
static bool locked_by_another(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Removes what is at path, unless it is a profile that is being written. A process holds the lock of a file
 * while it unlinks the file, and checks first that path is still that file. So no process unlinks a newer
 * one. */
static enum outcome remove_old(const char *path)
{
    struct stat there, opened;
    if (lstat(path, &there) != 0)
        return errno == ENOENT ? DONE : FAILED;
    int fd = S_ISREG(there.st_mode) ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
    enum outcome outcome = DONE;
    if (fd >= 0 && locked_by_another(fd))
        outcome = IN_USE;
    else if (fd >= 0 && (fstat(fd, &opened) != 0 || lstat(path, &there) != 0 || !same_file(&opened, &there)))
        outcome = CHANGED;
    else if (unlink(path) != 0 && errno != ENOENT)
        outcome = FAILED;
    int error_number = errno;
    if (fd >= 0)
        close(fd);
    errno = error_number;
    return outcome;
}

static enum outcome create(prof_outfile *file)
{
    enum outcome outcome = remove_old(file->path);
    if (outcome != DONE)
        return outcome;
    int fd = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return errno == EEXIST ? CHANGED : FAILED;
    struct stat created;
    if (locked_by_another(fd) || fstat(fd, &created) != 0 || created.st_nlink == 0) {
        close(fd); /* another process took it for an old profile between open() and flock() */
        return CHANGED;
    }
    file->fd = fd;
    return DONE;
}

/* Devices, wherever they are, and links to open files (/dev/stdout) must not be replaced by a new file. */
static bool is_device(const char *path)
{
    struct stat there;
    if (lstat(path, &there) == 0 && (S_ISCHR(there.st_mode) || S_ISBLK(there.st_mode)))
        return true;
    return strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0;
}

static char *absolute(const char *path)
{
    char *directory = path[0] != '/' ? getcwd(NULL, 0) : NULL;
    char *whole = NULL;
    if (directory == NULL)
        return strdup(path);
    if (asprintf(&whole, "%s/%s", strcmp(directory, "/") == 0 ? "" : directory, path) < 0)
        whole = NULL;
    free(directory);
    return whole;
}

/* Creates the first of PATH, PATH.PID, PATH.PID.2, ... that no other process is writing. */
static enum outcome create_first_free(prof_outfile *file)
{
    enum { TRIES = 1000 };
    char *wanted = file->path;
    enum outcome outcome = CHANGED;
    for (int tries = 0, nth = 0; tries < TRIES && (outcome == CHANGED || outcome == IN_USE); tries++) {
        if (outcome == IN_USE) {
            char *other = NULL;
            nth++;
            if ((nth == 1 ? asprintf(&other, "%s.%ld", wanted, (long)getpid())
                          : asprintf(&other, "%s.%ld.%d", wanted, (long)getpid(), nth)) < 0)
                break;
            if (file->path != wanted)
                free(file->path);
            file->path = other;
        }
        outcome = create(file);
    }
    if (file->path != wanted)
        free(wanted);
    if (outcome == IN_USE || outcome == CHANGED)
        errno = EBUSY;
    return outcome;
}

bool prof_outfile_open(prof_outfile *file, const char *path, const char **why)
{
    struct stat opened;
    *file = (prof_outfile){.fd = -1};
    file->path = absolute(path);
    if (file->path == NULL) {
        *why = strerror(errno);
        return false;
    }
    if (is_device(file->path))
        file->fd = open(file->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    else
        create_first_free(file);
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

/* ---- the descriptor ---- */

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
    if (!is_ours(file, fd) || locked_by_another(fd)) {
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

/* ---- writing ---- */

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
    int rc = is_device(file->path) ? -ESPIPE : ensure_fd(file);
    if (rc != 0)
        return rc;
    if (ftruncate(file->fd, size_bytes) != 0 || lseek(file->fd, size_bytes, SEEK_SET) < 0)
        return -errno;
    file->size_bytes = size_bytes;
    return 0;
}
