#include "base/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum outcome {
    DONE,
    IN_USE,  /* another process is writing a profile there */
    CHANGED, /* another process has replaced the file in between: try again */
    FAILED   /* errno has the reason */
};

bool nytp_newfile_lock(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

bool nytp_newfile_is_written(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const bool is_locked = fd >= 0 && !nytp_newfile_lock(fd);
    if (fd >= 0)
        close(fd);
    return is_locked;
}

static bool is_within(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* The directory is resolved, because a path can lead to /dev by other names, such as dev/stdout in the root
 * directory. The last part is not, because a link in another directory may be unlinked. */
bool nytp_newfile_is_device(const char *path)
{
    char directory[PATH_MAX] = ".", resolved[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    struct stat there;
    if (lstat(path, &there) == 0 && (S_ISCHR(there.st_mode) || S_ISBLK(there.st_mode)))
        return true;
    if (length >= sizeof directory)
        return false;
    if (length > 0) {
        memcpy(directory, path, length);
        directory[length] = '\0';
    }
    if (realpath(directory, resolved) == NULL)
        return false;
    return (is_within(resolved, "/dev") && !is_within(resolved, "/dev/shm")) || is_within(resolved, "/proc");
}

static enum outcome unlink_old(const char *path)
{
    return unlink(path) == 0 || errno == ENOENT ? DONE : FAILED;
}

/* For a file that could not be opened, as errno says. One that may not be read has no lock that could be
 * asked for. If it is another user's, somebody may be writing it. */
static enum outcome remove_unopened(const char *path, const struct stat *there)
{
    switch (errno) {
    case ENOENT:
    case ELOOP: return CHANGED;
    case EACCES: return there->st_uid == geteuid() ? unlink_old(path) : IN_USE;
    default: return FAILED;
    }
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
    if (!S_ISREG(there.st_mode))
        return unlink_old(path);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return remove_unopened(path, &there);
    enum outcome outcome;
    if (!nytp_newfile_lock(fd))
        outcome = IN_USE;
    else if (fstat(fd, &opened) != 0 || lstat(path, &there) != 0 || !same_file(&opened, &there))
        outcome = CHANGED;
    else
        outcome = unlink_old(path);
    int error_number = errno;
    close(fd);
    errno = error_number;
    return outcome;
}

static enum outcome create(const char *path, int *fd)
{
    struct stat created;
    enum outcome outcome = remove_old(path);
    if (outcome != DONE)
        return outcome;
    *fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (*fd < 0)
        return errno == EEXIST ? CHANGED : FAILED;
    if (nytp_newfile_lock(*fd) && fstat(*fd, &created) == 0 && created.st_nlink > 0)
        return DONE;
    close(*fd); /* another process took it for an old profile between open() and flock() */
    return CHANGED;
}

/* PATH, PATH.PID, PATH.PID.2, ...: the caller frees it. */
static char *nth_name(const char *path, pid_t pid, int nth)
{
    char *name = NULL;
    if (nth == 0)
        return strdup(path);
    if ((nth == 1 ? asprintf(&name, "%s.%ld", path, (long)pid)
                  : asprintf(&name, "%s.%ld.%d", path, (long)pid, nth)) < 0)
        return NULL;
    return name;
}

int nytp_newfile_create(const char *path, pid_t pid, bool add_pid, char **name)
{
    enum { TRIES = 1000 };
    bool is_device = nytp_newfile_is_device(path);
    int fd = -1, nth = add_pid && !is_device ? 1 : 0;
    *name = nth_name(path, pid, nth);
    if (*name != NULL && is_device)
        return open(*name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    for (int tries = 0; *name != NULL && tries < TRIES; tries++) {
        switch (create(*name, &fd)) {
        case DONE: return fd;
        case FAILED: return -1;
        case CHANGED: break;
        case IN_USE:
            free(*name);
            *name = nth_name(path, pid, ++nth);
            break;
        }
    }
    errno = *name != NULL ? EBUSY : ENOMEM;
    return -1;
}

int nytp_unnamed_file(void)
{
    char path[PATH_MAX];
    const char *dir = getenv("TMPDIR");
    int length = snprintf(path, sizeof path, "%s/nytprof-XXXXXX", dir != NULL && *dir != '\0' ? dir : "/tmp");
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}
