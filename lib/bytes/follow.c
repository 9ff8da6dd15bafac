/* A source that follows a growing file.
 *
 * The collector and nytp-record hold flock(2) on the file for as long as they write it. So at the end of the
 * file, a lock that cannot be had means that more may come. The lock is taken only to see that nobody holds
 * it, and released at once, since a collector that finds a file locked chooses another name.
 */
#include "bytes/source.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct follow_source {
    nytp_source base;
    nytp_source *inner; /* reads fd */
    int fd;
    bool owned; /* fd is to be closed */
    bool ended; /* no process writes to the file any more */
    nytp_wait_fn *wait;
    void *context;
} follow_source;

/* On a file system without locks, writers cannot be detected. */
static bool is_being_written(int fd)
{
    if (flock(fd, LOCK_SH | LOCK_NB) != 0)
        return errno == EWOULDBLOCK;
    flock(fd, LOCK_UN);
    return false;
}

/* Returns whether to go on waiting, according to the callback. The thread must not be cancelled in it,
 * because the callback may hold a lock. */
static bool ask_callback(const follow_source *s)
{
    int before;
    if (s->wait == NULL)
        return true;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    bool go_on = s->wait(s->context);
    pthread_setcancelstate(before, NULL);
    return go_on;
}

/* At the end of what the file has: waits, or sets ended. Returns 0, or a negative nytp_status. */
static int wait_for_more(follow_source *s, nytp_error *err)
{
    static const struct timespec pause = {.tv_nsec = 100000000};
    struct stat st;
    if (!is_being_written(s->fd) || !ask_callback(s)) {
        s->ended = true;
        return 0;
    }
    if (fstat(s->fd, &st) == 0 && (uint64_t)st.st_size < s->base.taken_bytes)
        return nytp_fail(err, NYTP_ERR_IO, "%s: became shorter while it was read", s->base.name);
    nanosleep(&pause, NULL);
    return 0;
}

static ptrdiff_t follow_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    follow_source *s = (follow_source *)self;
    for (;;) {
        bool last = s->ended; /* what was written before the writer ended is still to be read */
        ptrdiff_t n = s->inner->read(s->inner, buffer, size, err);
        self->taken_bytes = s->inner->taken_bytes;
        if (n != 0 || last)
            return n;
        int rc = wait_for_more(s, err);
        if (rc < 0)
            return rc;
    }
}

static void follow_free(nytp_source *self)
{
    follow_source *s = (follow_source *)self;
    nytp_source_free(s->inner);
    if (s->owned)
        close(s->fd);
    free(self->name);
    free(s);
}

nytp_source *nytp_source_follow(const char *path, nytp_wait_fn *wait, void *context)
{
    struct stat st;
    bool is_stdin = strcmp(path, "-") == 0;
    if ((is_stdin ? fstat(STDIN_FILENO, &st) : stat(path, &st)) != 0 || !S_ISREG(st.st_mode))
        return nytp_source_file(path);
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return nytp_source_file(path);
    const char *name = is_stdin ? "standard input" : path;
    follow_source *s = nytp_source_alloc(sizeof *s, name, follow_read, follow_free);
    nytp_source *inner = nytp_source_fd(fd, name);
    if (s == NULL || inner == NULL) {
        nytp_source_free(inner);
        if (s != NULL)
            free(s->base.name);
        free(s);
        if (!is_stdin)
            close(fd);
        return NULL;
    }
    s->inner = inner;
    s->fd = fd;
    s->owned = !is_stdin;
    s->wait = wait;
    s->context = context;
    s->base.cancellable = true;
    return &s->base;
}
