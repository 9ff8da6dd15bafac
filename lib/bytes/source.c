/* Sources of bytes: a file, a descriptor, memory, a callback. */
#include "bytes/source.h"

#include "base/error.h"
#include "base/newfile.h"
#include "bytes/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void *nytp_source_alloc(size_t size, const char *name,
                        ptrdiff_t (*read)(nytp_source *, void *, size_t, nytp_error *),
                        void (*release)(nytp_source *))
{
    nytp_source *s = calloc(1, size);
    if (s == NULL)
        return NULL;
    s->name = nytp_name_in_messages(name);
    if (s->name == NULL) {
        free(s);
        return NULL;
    }
    s->read = read;
    s->free = release;
    return s;
}

void *nytp_source_alloc_over(size_t size, const nytp_source *inner,
                             ptrdiff_t (*read)(nytp_source *, void *, size_t, nytp_error *),
                             void (*release)(nytp_source *))
{
    nytp_source *s = nytp_source_alloc(size, inner->name, read, release);
    if (s == NULL)
        return NULL;
    s->cancellable = inner->cancellable;
    s->size_bytes = inner->size_bytes;
    s->taken_bytes = inner->taken_bytes;
    return s;
}

void nytp_source_free(nytp_source *source)
{
    if (source != NULL)
        source->free(source);
}

static void free_plain(nytp_source *self)
{
    free(self->name);
    free(self);
}

typedef struct fd_source {
    nytp_source base;
    int fd;
    const char *failed; /* "open" or "read", if that failed: every later read() reports it; else NULL */
    int error_number;
    bool owned;
    off_t first; /* where it began to read; negative: it cannot be read again */
} fd_source;

static ptrdiff_t read_retrying(int fd, void *buffer, size_t size)
{
    for (;;) {
        ptrdiff_t n = read(fd, buffer, size);
        if (n >= 0)
            return n;
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd p = {.fd = fd, .events = POLLIN};
            poll(&p, 1, -1);
        } else if (errno != EINTR) {
            return -errno;
        }
    }
}

static ptrdiff_t fd_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    fd_source *s = (fd_source *)self;
    ptrdiff_t n = s->failed == NULL ? read_retrying(s->fd, buffer, size) : -1;
    if (n >= 0) {
        self->taken_bytes += (uint64_t)n;
        return n;
    }
    if (s->failed == NULL) {
        s->failed = "read";
        s->error_number = (int)-n;
    }
    return nytp_fail(err, NYTP_ERR_IO, "%s: cannot %s: %s", self->name, s->failed, strerror(s->error_number));
}

static void fd_free(nytp_source *self)
{
    fd_source *s = (fd_source *)self;
    if (s->owned && s->fd >= 0)
        close(s->fd);
    free_plain(self);
}

/* What has failed fails again. */
static bool fd_rewind(nytp_source *self)
{
    const fd_source *s = (const fd_source *)self;
    if (s->failed != NULL)
        return true;
    if (s->first < 0 || lseek(s->fd, s->first, SEEK_SET) < 0)
        return false;
    self->taken_bytes = 0;
    return true;
}

nytp_source *nytp_source_fd(int fd, const char *name)
{
    fd_source *s = nytp_source_alloc(sizeof *s, name, fd_read, fd_free);
    if (s == NULL)
        return NULL;
    struct stat st;
    s->fd = fd;
    s->first = fd >= 0 ? lseek(fd, 0, SEEK_CUR) : -1;
    s->base.rewind = fd_rewind;
    s->base.cancellable = true;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        s->base.size_bytes = (uint64_t)st.st_size;
    return &s->base;
}

nytp_source *nytp_source_file(const char *path)
{
    if (strcmp(path, "-") == 0)
        return nytp_source_fd(STDIN_FILENO, "standard input");
    return nytp_source_file_named(path, path);
}

nytp_source *nytp_source_file_named(const char *path, const char *name)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    int error_number = errno;
    nytp_source *source = nytp_source_fd(fd, name);
    if (source == NULL) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    fd_source *s = (fd_source *)source;
    s->failed = fd < 0 ? "open" : NULL;
    s->error_number = error_number;
    s->owned = true;
    return source;
}

typedef struct memory_source {
    nytp_source base;
    const char *data;
    size_t left;
} memory_source;

static ptrdiff_t memory_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    memory_source *s = (memory_source *)self;
    (void)err;
    if (size > s->left)
        size = s->left;
    if (size == 0) /* data may be NULL */
        return 0;
    memcpy(buffer, s->data, size);
    s->data += size;
    s->left -= size;
    self->taken_bytes += size;
    return (ptrdiff_t)size;
}

nytp_source *nytp_source_memory(const void *data, size_t size, const char *name)
{
    memory_source *s = nytp_source_alloc(sizeof *s, name, memory_read, free_plain);
    if (s == NULL)
        return NULL;
    s->data = data;
    s->left = size;
    s->base.size_bytes = size;
    return &s->base;
}

typedef struct callback_source {
    nytp_source base;
    nytp_read_fn *function;
    void *context;
} callback_source;

static ptrdiff_t callback_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    callback_source *s = (callback_source *)self;
    ptrdiff_t n = s->function(s->context, buffer, size);
    if (n < 0)
        return nytp_fail(err, NYTP_ERR_IO, "%s: cannot read: %s", self->name, strerror((int)-n));
    if ((size_t)n > size)
        return nytp_fail(err, NYTP_ERR_IO,
                         "%s: cannot read: the callback returned %zd, but the buffer has %zu bytes",
                         self->name, n, size);
    self->taken_bytes += (uint64_t)n;
    return n;
}

nytp_source *nytp_source_callback(nytp_read_fn *read, void *context, const char *name)
{
    callback_source *s = nytp_source_alloc(sizeof *s, name, callback_read, free_plain);
    if (s == NULL)
        return NULL;
    s->function = read;
    s->context = context;
    return &s->base;
}

typedef struct first_bytes {
    nytp_source base;
    nytp_source *inner;
    uint64_t bytes, left;
} first_bytes;

static ptrdiff_t first_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    first_bytes *s = (first_bytes *)self;
    const ptrdiff_t n = s->inner->read(s->inner, buffer, size < s->left ? size : s->left, err);
    s->left -= n > 0 ? (uint64_t)n : 0;
    self->taken_bytes = s->inner->taken_bytes;
    return n;
}

static bool first_rewind(nytp_source *self)
{
    first_bytes *s = (first_bytes *)self;
    s->left = s->bytes;
    self->taken_bytes = 0;
    return s->inner->rewind != NULL && s->inner->rewind(s->inner);
}

static void first_free(nytp_source *self)
{
    nytp_source_free(((first_bytes *)self)->inner);
    free_plain(self);
}

nytp_source *nytp_source_first(nytp_source *inner, uint64_t bytes)
{
    first_bytes *s = inner != NULL ? nytp_source_alloc_over(sizeof *s, inner, first_read, first_free) : NULL;
    if (s == NULL) {
        nytp_source_free(inner);
        return NULL;
    }
    s->inner = inner;
    s->bytes = s->left = bytes;
    s->base.rewind = first_rewind;
    return &s->base;
}

typedef struct borrowed {
    nytp_source base;
    nytp_source *inner;
} borrowed;

static ptrdiff_t borrowed_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    nytp_source *inner = ((borrowed *)self)->inner;
    const ptrdiff_t n = inner->read(inner, buffer, size, err);
    self->taken_bytes = inner->taken_bytes;
    return n;
}

nytp_source *nytp_source_borrow(nytp_source *inner)
{
    borrowed *s = nytp_source_alloc_over(sizeof *s, inner, borrowed_read, free_plain);
    if (s == NULL)
        return NULL;
    s->inner = inner;
    return &s->base;
}

typedef struct prepended {
    nytp_source base;
    nytp_source *inner;
    size_t size, used;
    unsigned char bytes[];
} prepended;

static ptrdiff_t prepended_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    prepended *s = (prepended *)self;
    ptrdiff_t n;
    if (s->used < s->size) {
        n = (ptrdiff_t)(size < s->size - s->used ? size : s->size - s->used);
        memcpy(buffer, s->bytes + s->used, (size_t)n);
        s->used += (size_t)n;
    } else {
        n = s->inner->read(s->inner, buffer, size, err);
    }
    self->taken_bytes = s->inner->taken_bytes - (s->size - s->used);
    return n;
}

static void prepended_free(nytp_source *self)
{
    nytp_source_free(((prepended *)self)->inner);
    free_plain(self);
}

nytp_source *nytp_source_prepend(nytp_source *inner, const void *bytes, size_t size)
{
    prepended *s = nytp_source_alloc_over(sizeof *s + size, inner, prepended_read, prepended_free);
    if (s == NULL) {
        nytp_source_free(inner);
        return NULL;
    }
    s->inner = inner;
    s->size = size;
    if (size > 0)
        memcpy(s->bytes, bytes, size);
    s->base.taken_bytes -= size;
    return &s->base;
}

/* Returns a source of an unnamed file, which it closes; NULL with err filled. */
static nytp_source *new_copy(const char *name, nytp_error *err)
{
    const int fd = nytp_unnamed_file();
    nytp_source *copy = fd >= 0 ? nytp_source_fd(fd, name) : NULL;
    if (fd < 0)
        nytp_fail(err, NYTP_ERR_IO, NYTP_UNNAMED_FILE_FAILED, strerror(errno));
    else if (copy == NULL)
        nytp_fail(err, NYTP_ERR_MEMORY, "out of memory");
    if (copy != NULL)
        ((fd_source *)copy)->owned = true;
    else if (fd >= 0)
        close(fd);
    return copy;
}

/* Copies what the source has, up to where reading fails. Returns false, with err filled, if there is no place
 * for it. */
static bool copy_to(nytp_source *copy, nytp_source *source, nytp_error *err)
{
    enum { SIZE = 1 << 14 };
    char buffer[SIZE];
    nytp_error of_source = {0};
    ptrdiff_t n;
    nytp_sink *sink = nytp_sink_fd(((const fd_source *)copy)->fd, "a copy in TMPDIR");
    if (sink == NULL) {
        nytp_fail(err, NYTP_ERR_MEMORY, "out of memory");
        return false;
    }
    int rc = 0;
    while (rc == 0 && (n = source->read(source, buffer, SIZE, &of_source)) > 0) {
        rc = sink->write(sink, buffer, (size_t)n, err);
        copy->size_bytes += (uint64_t)n;
    }
    nytp_sink_free(sink);
    return rc == 0;
}

static bool rewinds(nytp_source *source)
{
    return source->rewind != NULL && source->rewind(source);
}

nytp_source *nytp_source_rewindable(nytp_source *source, nytp_error *err)
{
    if (rewinds(source))
        return source;
    nytp_source *copy = new_copy(source->name, err);
    if (copy == NULL || !copy_to(copy, source, err)) {
        nytp_source_free(copy);
        nytp_source_free(source);
        return NULL;
    }
    const bool has_failed = copy->size_bytes == 0 && rewinds(source);
    nytp_source_free(has_failed ? copy : source);
    if (has_failed)
        return source;
    rewinds(copy);
    return copy;
}
