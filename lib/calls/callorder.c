#include "calls/course.h"

#include "base/ticks.h"
#include "base/newfile.h"
#include "model/grow.h"

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK_CALLS = 1 << 16 };
typedef nytp_ordered_call block[BLOCK_CALLS];

struct nytp_callorder {
    int fd; /* -1: everything is in added */
    int error_number;
    uint64_t count; /* how many calls and barriers were added */
    uint64_t first; /* index of the first call after turning: the places before it were those of barriers */
    uint64_t next;  /* index of the next call */
    nytp_ordered_call *added;  /* the current block in the order of returns */
    nytp_ordered_call *turned; /* the current block in the order of entries */
};

nytp_callorder *nytp_callorder_new(void)
{
    nytp_callorder *s = g_new0(nytp_callorder, 1);
    s->fd = -1;
    s->added = g_new0(nytp_ordered_call, BLOCK_CALLS);
    return s;
}

void nytp_callorder_free(nytp_callorder *s)
{
    if (s == NULL)
        return;
    if (s->fd >= 0)
        close(s->fd);
    g_free(s->added);
    g_free(s->turned);
    g_free(s);
}

int nytp_callorder_error(const nytp_callorder *s)
{
    return s->error_number;
}

static bool fail(nytp_callorder *s)
{
    if (s->error_number == 0)
        s->error_number = errno;
    return false;
}

static bool move_block(nytp_callorder *s, uint64_t number, char *at, bool to_file)
{
    size_t left = sizeof(block);
    off_t offset = (off_t)(number * sizeof(block));
    while (left > 0) {
        ssize_t n = to_file ? pwrite(s->fd, at, left, offset) : pread(s->fd, at, left, offset);
        if (n == 0)
            errno = EIO; /* another process has truncated it */
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

static bool write_block(nytp_callorder *s, uint64_t number, nytp_ordered_call *calls)
{
    if (s->fd < 0 && (s->fd = nytp_unnamed_file()) < 0)
        return fail(s);
    return move_block(s, number, (char *)calls, true);
}

static bool read_block(nytp_callorder *s, uint64_t number, nytp_ordered_call *calls)
{
    return move_block(s, number, (char *)calls, false);
}

void nytp_callorder_add(nytp_callorder *s, nytp_ordered_call call)
{
    s->added[s->count++ % BLOCK_CALLS] = call;
    if (s->count % BLOCK_CALLS == 0 && s->error_number == 0)
        write_block(s, s->count / BLOCK_CALLS - 1, s->added);
}

/* Read backwards, a call comes before the calls that it made, the last of them first. When one comes that is
 * not deeper, all calls that the previous one made have been placed, and that gets the place before them. So
 * places are filled backwards, too. A place is filled only after the call that was there has been read, so
 * one file is enough. */
typedef struct turning {
    nytp_callorder *s;
    GArray *open;        /* nytp_ordered_call, innermost last: those not yet placed */
    uint64_t free_count; /* places before those that are filled */
} turning;

static void place(turning *t, nytp_ordered_call call)
{
    nytp_callorder *s = t->s;
    s->turned[--t->free_count % BLOCK_CALLS] = call;
    if (t->free_count % BLOCK_CALLS == 0 && s->fd >= 0 && s->error_number == 0)
        write_block(s, t->free_count / BLOCK_CALLS, s->turned);
}

static void close_down_to(turning *t, uint32_t depth)
{
    while (t->open->len > 0) {
        nytp_ordered_call call = g_array_index(t->open, nytp_ordered_call, t->open->len - 1);
        if (call.depth < depth)
            return;
        g_array_set_size(t->open, t->open->len - 1);
        call.depth = t->open->len;
        if (call.depth > 0) {
            nytp_ordered_call *caller = &g_array_index(t->open, nytp_ordered_call, call.depth - 1);
            caller->ticks = nytp_add_ticks(caller->ticks, call.ticks);
            caller->callees_ticks = nytp_add_ticks(caller->callees_ticks, call.ticks);
        }
        place(t, call);
    }
}

static void turn_call(turning *t, nytp_ordered_call call)
{
    if (call.sub == NYTP_CALLS_END) {
        close_down_to(t, 0);
    } else {
        close_down_to(t, call.depth);
        g_array_append_val(t->open, call);
    }
}

void nytp_callorder_turn(nytp_callorder *s)
{
    turning t = {s, NYTP_ARRAY(nytp_ordered_call), s->count};
    s->turned = g_new0(nytp_ordered_call, BLOCK_CALLS);
    for (uint64_t n = s->count; n-- > 0 && s->error_number == 0;) {
        if ((n + 1) % BLOCK_CALLS == 0 && !read_block(s, n / BLOCK_CALLS, s->added))
            break;
        turn_call(&t, s->added[n % BLOCK_CALLS]);
    }
    close_down_to(&t, 0);
    g_array_free(t.open, TRUE);
    s->first = s->next = t.free_count;
    if (s->fd >= 0 && s->error_number == 0)
        write_block(s, t.free_count / BLOCK_CALLS, s->turned);
}

bool nytp_callorder_next(nytp_callorder *s, nytp_ordered_call *call)
{
    if (s->next == s->count || s->error_number != 0)
        return false;
    if (s->fd >= 0 && (s->next % BLOCK_CALLS == 0 || s->next == s->first) &&
        !read_block(s, s->next / BLOCK_CALLS, s->turned))
        return false;
    *call = s->turned[s->next++ % BLOCK_CALLS];
    return true;
}
