/* Sinks: a descriptor, a callback. */
#include "bytes/sink.h"

#include "base/error.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *sink_alloc(size_t size, const char *name,
                        int (*write)(nytp_sink *, const void *, size_t, nytp_error *))
{
    nytp_sink *s = calloc(1, size);
    if (s == NULL)
        return NULL;
    s->name = nytp_name_in_messages(name);
    if (s->name == NULL) {
        free(s);
        return NULL;
    }
    s->write = write;
    return s;
}

void nytp_sink_free(nytp_sink *sink)
{
    if (sink == NULL)
        return;
    free(sink->name);
    free(sink);
}

static int cannot_write(nytp_sink *s, int error_number, nytp_error *err)
{
    return nytp_fail(err, NYTP_ERR_IO, "%s: cannot write: %s", s->name, strerror(error_number));
}

typedef struct fd_sink {
    nytp_sink base;
    int fd;
} fd_sink;

static int fd_write(nytp_sink *self, const void *data, size_t size, nytp_error *err)
{
    const char *at = data;
    int fd = ((fd_sink *)self)->fd;
    while (size > 0) {
        ptrdiff_t n = write(fd, at, size);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd p = {.fd = fd, .events = POLLOUT};
            poll(&p, 1, -1);
        } else if (n < 0 && errno != EINTR) {
            return cannot_write(self, errno, err);
        } else if (n > 0) {
            at += n;
            size -= (size_t)n;
        }
    }
    return 0;
}

nytp_sink *nytp_sink_fd(int fd, const char *name)
{
    fd_sink *s = sink_alloc(sizeof *s, name, fd_write);
    if (s == NULL)
        return NULL;
    s->fd = fd;
    return &s->base;
}

typedef struct callback_sink {
    nytp_sink base;
    nytp_write_fn *function;
    void *context;
} callback_sink;

static int callback_write(nytp_sink *self, const void *data, size_t size, nytp_error *err)
{
    callback_sink *s = (callback_sink *)self;
    int rc = s->function(s->context, data, size);
    return rc < 0 ? cannot_write(self, -rc, err) : 0;
}

nytp_sink *nytp_sink_callback(nytp_write_fn *write, void *context, const char *name)
{
    callback_sink *s = sink_alloc(sizeof *s, name, callback_write);
    if (s == NULL)
        return NULL;
    s->function = write;
    s->context = context;
    return &s->base;
}
