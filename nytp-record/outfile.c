#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

static bool is_locked(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/* Removes an old profile. Whoever replaces one holds its lock meanwhile, and looks first whether it is still
 * the one of that name, so that nobody removes a newer one. false with EBUSY: it is still written. */
static bool make_way(const char *path)
{
    struct stat there, opened;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    bool gone = false;
    if (fd < 0)
        return errno == ENOENT || unlink(path) == 0;
    if (is_locked(fd)) {
        close(fd);
        errno = EBUSY;
        return false;
    }
    if (fstat(fd, &opened) == 0 && lstat(path, &there) == 0)
        gone = there.st_ino != opened.st_ino || there.st_dev != opened.st_dev || unlink(path) == 0;
    else
        gone = errno == ENOENT;
    int error_number = errno;
    close(fd);
    errno = error_number;
    return gone;
}

static int create(const char *path)
{
    struct stat what;
    if (stat(path, &what) == 0 && !S_ISREG(what.st_mode))
        return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY); /* a device or a pipe */
    for (int tries = 0; tries < TRIES; tries++) {
        if (!make_way(path))
            return -1;
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0 && errno != EEXIST)
            return -1;
        if (fd < 0)
            continue;
        if (!is_locked(fd) && fstat(fd, &what) == 0 && what.st_nlink > 0)
            return fd;
        close(fd); /* between open() and flock() another one took it for an old profile */
    }
    errno = EBUSY;
    return -1;
}

int record_outfile_create(const char *path, pid_t pid, int add_pid, char **name)
{
    int fd = -1;
    *name = NULL;
    if (!add_pid && (*name = strdup(path)) != NULL)
        fd = create(*name);
    for (int nth = 1; fd < 0 && (nth == 1 || errno == EBUSY) && nth < TRIES; nth++) {
        if (*name != NULL && nth == 1 && errno != EBUSY)
            return -1;
        free(*name);
        if ((nth == 1 ? asprintf(name, "%s.%ld", path, (long)pid)
                      : asprintf(name, "%s.%ld.%d", path, (long)pid, nth)) < 0) {
            *name = NULL;
            return -1;
        }
        fd = create(*name);
    }
    return fd;
}
