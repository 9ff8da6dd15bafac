#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_CALLS = 1 << 16 };
typedef spool_call block[BLOCK_CALLS];

struct spool {
    int fd; /* -1: everything is in added */
    int error_number;
    uint64_t count; /* calls added; barriers too */
    uint64_t first; /* where the calls begin after turning: that many barriers were among them */
    uint64_t next;
    spool_call *added;  /* the last block that is being filled */
    spool_call *turned; /* the one that is read, or made, of those in order of entries */
};

spool *spool_new(void)
{
    spool *s = g_new0(spool, 1);
    s->fd = -1;
    s->added = g_new0(spool_call, BLOCK_CALLS);
    return s;
}

void spool_free(spool *s)
{
    if (s == NULL)
        return;
    if (s->fd >= 0)
        close(s->fd);
    g_free(s->added);
    g_free(s->turned);
    g_free(s);
}

int spool_error(const spool *s)
{
    return s->error_number;
}

uint64_t spool_count(const spool *s)
{
    return s->count - s->first;
}

/* ---- blocks ---- */

static int open_nameless(void)
{
    const char *directory = getenv("TMPDIR");
    char *path =
        g_strconcat(directory != NULL && *directory != '\0' ? directory : "/tmp", "/nytp-dprof-XXXXXX", NULL);
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    g_free(path);
    return fd;
}

static bool fail(spool *s)
{
    if (s->error_number == 0)
        s->error_number = errno;
    return false;
}

static bool write_block(spool *s, uint64_t number, const spool_call *calls)
{
    const char *at = (const char *)calls;
    size_t left = sizeof(block);
    off_t offset = (off_t)(number * sizeof(block));
    if (s->fd < 0 && (s->fd = open_nameless()) < 0)
        return fail(s);
    while (left > 0) {
        ssize_t n = pwrite(s->fd, at, left, offset);
        if (n < 0 && errno != EINTR)
            return fail(s);
        if (n > 0) {
            at += n;
            left -= (size_t)n;
            offset += n;
        }
    }
    return true;
}

static bool read_block(spool *s, uint64_t number, spool_call *calls)
{
    char *at = (char *)calls;
    size_t left = sizeof(block);
    off_t offset = (off_t)(number * sizeof(block));
    while (left > 0) {
        ssize_t n = pread(s->fd, at, left, offset);
        if (n == 0)
            errno = EIO; /* somebody else has cut it */
        if (n == 0 || (n < 0 && errno != EINTR))
            return fail(s);
        if (n > 0) {
            at += n;
            left -= (size_t)n;
            offset += n;
        }
    }
    return true;
}

void spool_add(spool *s, spool_call call)
{
    s->added[s->count++ % BLOCK_CALLS] = call;
    if (s->count % BLOCK_CALLS == 0 && s->error_number == 0)
        write_block(s, s->count / BLOCK_CALLS - 1, s->added);
}

/* ---- turning ---- */

/* From behind, a call comes before what it called, the last of that first. A call is done with when one comes
 * that is no deeper: then all that it called is done with, and it takes its place before them. So places are
 * filled from behind as well, never before the call there has been read. */
typedef struct turning {
    spool *s;
    GArray *open;  /* spool_call, as they return */
    uint64_t room; /* places that are left before those filled */
} turning;

static void place(turning *t, spool_call call)
{
    spool *s = t->s;
    s->turned[--t->room % BLOCK_CALLS] = call;
    if (t->room % BLOCK_CALLS == 0 && s->fd >= 0 && s->error_number == 0)
        write_block(s, t->room / BLOCK_CALLS, s->turned);
}

static void close_down_to(turning *t, uint32_t depth)
{
    while (t->open->len > 0) {
        spool_call call = g_array_index(t->open, spool_call, t->open->len - 1);
        if (call.depth < depth)
            return;
        g_array_set_size(t->open, t->open->len - 1);
        call.depth = t->open->len;
        place(t, call);
    }
}

static void turn_call(turning *t, spool_call call)
{
    if (call.sub == SPOOL_BARRIER) {
        close_down_to(t, 0);
    } else {
        close_down_to(t, call.depth);
        g_array_append_val(t->open, call);
    }
}

void spool_turn(spool *s)
{
    turning t = {s, g_array_new(FALSE, FALSE, sizeof(spool_call)), s->count};
    s->turned = g_new0(spool_call, BLOCK_CALLS);
    for (uint64_t n = s->count; n-- > 0 && s->error_number == 0;) {
        if ((n + 1) % BLOCK_CALLS == 0 && !read_block(s, n / BLOCK_CALLS, s->added))
            break;
        turn_call(&t, s->added[n % BLOCK_CALLS]);
    }
    close_down_to(&t, 0);
    g_array_free(t.open, TRUE);
    s->first = s->next = t.room;
    if (s->fd >= 0 && s->error_number == 0)
        write_block(s, t.room / BLOCK_CALLS, s->turned);
}

bool spool_next(spool *s, spool_call *call)
{
    if (s->next == s->count || s->error_number != 0)
        return false;
    if (s->fd >= 0 && (s->next % BLOCK_CALLS == 0 || s->next == s->first) &&
        !read_block(s, s->next / BLOCK_CALLS, s->turned))
        return false;
    *call = s->turned[s->next++ % BLOCK_CALLS];
    return true;
}
