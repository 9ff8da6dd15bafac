#include "callorder.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>

enum { LAST_PLACES = 1 << 20, PARTS = 4, AT_ONCE = 1 << 13 };

typedef struct place {
    uint32_t sub, depth; /* 0: called from outside */
} place;

/* For sub: callers that never returned, each calling the next. depth is that of the first. They have a place
 * each, and where there are several the second one tells how many. */
static const uint32_t missing_one = UINT32_MAX, missing_some = UINT32_MAX - 1;

/* Calls that returned at a depth and wait for their caller to do so, with all that they called. */
typedef struct waiting {
    uint32_t depth;
    uint64_t places;
} waiting;

struct nytp_callorder {
    place *window; /* place i is at i modulo its size */
    uint64_t window_places;
    uint64_t window_from; /* earlier places are in the file */
    uint64_t taken;       /* by calls that have returned, or began */
    GArray *waiting;      /* with rising depths */
    place *read;          /* AT_ONCE places of the file */
    uint64_t read_from, read_count;
    int fd;    /* -1: no file yet */
    int error; /* -errno, sticks */
};

nytp_callorder *nytp_callorder_new(uint32_t places)
{
    nytp_callorder *o = g_new0(nytp_callorder, 1);
    o->window_places = MAX(places > 0 ? places : LAST_PLACES, PARTS);
    o->window = g_new(place, o->window_places);
    o->waiting = g_array_new(FALSE, FALSE, sizeof(waiting));
    o->fd = -1;
    return o;
}

void nytp_callorder_free(nytp_callorder *order)
{
    if (order == NULL)
        return;
    if (order->fd >= 0)
        close(order->fd);
    g_array_free(order->waiting, TRUE);
    g_free(order->window);
    g_free(order->read);
    g_free(order);
}

/* ---- the file ---- */

static void open_file(nytp_callorder *o)
{
    char *name = g_build_filename(g_get_tmp_dir(), ".nytp-calls-XXXXXX", NULL);
    o->fd = g_mkstemp_full(name, O_RDWR | O_CLOEXEC, 0600);
    if (o->fd < 0)
        o->error = -errno;
    else
        g_unlink(name);
    g_free(name);
}

static void write_places(nytp_callorder *o, const place *places, uint64_t from, uint64_t count)
{
    if (o->fd < 0 && o->error == 0)
        open_file(o);
    const char *at = (const char *)places;
    size_t left = count * sizeof *places;
    off_t offset = (off_t)(from * sizeof *places);
    while (left > 0 && o->error == 0) {
        ssize_t n = pwrite(o->fd, at, left, offset);
        if (n > 0) {
            at += n;
            left -= (size_t)n;
            offset += n;
        } else if (n == 0 || errno != EINTR) {
            o->error = n == 0 ? -EIO : -errno;
        }
    }
}

/* Reads on from place number. */
static void read_places(nytp_callorder *o, uint64_t number)
{
    if (o->read == NULL)
        o->read = g_new(place, AT_ONCE);
    size_t wanted = MIN(AT_ONCE, o->window_from - number) * sizeof(place);
    ssize_t n;
    do
        n = pread(o->fd, o->read, wanted, (off_t)(number * sizeof(place)));
    while (n < 0 && errno == EINTR);
    if (n < (ssize_t)sizeof(place))
        o->error = n < 0 ? -errno : -EIO;
    o->read_from = number;
    o->read_count = n > 0 ? (size_t)n / sizeof(place) : 0;
}

static place place_at(nytp_callorder *o, uint64_t number)
{
    if (number >= o->window_from)
        return o->window[number % o->window_places];
    if (number - o->read_from >= o->read_count)
        read_places(o, number);
    return o->error == 0 ? o->read[number - o->read_from] : (place){0, 0};
}

/* ---- taking places ---- */

/* Makes room for place number, behind the window. What leaves it goes to the file, with junk in places that
 * are still free: they will be written there. */
static void move_window(nytp_callorder *o, uint64_t number)
{
    uint64_t part = o->window_places / PARTS, to = (number / part + 1) * part - o->window_places;
    for (uint64_t i = 0; i < PARTS && o->window_from + i * part < to; i++) {
        uint64_t from = o->window_from + i * part;
        write_places(o, o->window + from % o->window_places, from, part);
    }
    o->window_from = to;
}

static inline void set_place(nytp_callorder *o, uint64_t number, place p)
{
    if (number >= o->window_from + o->window_places)
        move_window(o, number);
    if (number < o->window_from)
        write_places(o, &p, number, 1);
    else
        o->window[number % o->window_places] = p;
}

static waiting *last_waiting(nytp_callorder *o)
{
    return o->waiting->len > 0 ? &g_array_index(o->waiting, waiting, o->waiting->len - 1) : NULL;
}

/* A call at depth has returned, or several of which the first is at depth; those that wait below are
 * theirs. Gives the place of the first. */
static uint64_t return_at(nytp_callorder *o, uint32_t depth, uint32_t calls)
{
    uint64_t below = 0;
    waiting *w = last_waiting(o);
    if (w != NULL && w->depth == depth + calls) {
        below = w->places;
        g_array_set_size(o->waiting, o->waiting->len - 1);
        w = last_waiting(o);
    }
    uint64_t number = o->taken - below + depth;
    o->taken += calls;
    if (w != NULL && w->depth == depth)
        w->places += below + calls;
    else
        g_array_append_val(o->waiting, ((waiting){depth, below + calls}));
    return number;
}

/* Those that wait deeper than depth get the callers that are missing. */
static void fill_in(nytp_callorder *o, uint32_t depth)
{
    const waiting *w;
    while ((w = last_waiting(o)) != NULL && w->depth > depth) {
        uint32_t to = o->waiting->len > 1 ? MAX(w[-1].depth, depth) : depth, count = w->depth - to;
        uint64_t first = return_at(o, to, count);
        set_place(o, first, (place){count > 1 ? missing_some : missing_one, to});
        if (count > 1)
            set_place(o, first + 1, (place){count, 0});
    }
}

void nytp_callorder_return(nytp_callorder *order, uint32_t depth, uint32_t sub)
{
    depth -= depth > 0;
    fill_in(order, depth + 1);
    set_place(order, return_at(order, depth, 1), (place){sub, depth});
}

void nytp_callorder_begin(nytp_callorder *order, uint32_t depth, uint32_t sub)
{
    set_place(order, order->taken++, (place){sub, depth - (depth > 0)});
}

void nytp_callorder_end_stack(nytp_callorder *order)
{
    fill_in(order, 0);
    g_array_set_size(order->waiting, 0);
}

/* ---- in order ---- */

/* A call, or a missing one, and how deep what it called is shown. */
typedef struct caller {
    uint32_t depth, shown_below;
} caller;

/* The depth at which to show a call at depth: one for each caller that is not missing. */
static uint32_t shown_depth(GArray *callers, uint32_t depth, bool missing)
{
    guint n = callers->len;
    while (n > 0 && g_array_index(callers, caller, n - 1).depth >= depth)
        n--;
    uint32_t shown = n > 0 ? g_array_index(callers, caller, n - 1).shown_below : 0;
    g_array_set_size(callers, n);
    g_array_append_val(callers, ((caller){depth, shown + !missing}));
    return shown;
}

int nytp_callorder_walk(nytp_callorder *order, nytp_began_fn *visit, void *context)
{
    nytp_callorder_end_stack(order);
    GArray *callers = g_array_new(FALSE, FALSE, sizeof(caller));
    bool more = true;
    for (uint64_t i = 0; i < order->taken && more; i++) {
        place p = place_at(order, i);
        bool missing = p.sub == missing_one || p.sub == missing_some;
        uint32_t shown = shown_depth(callers, p.depth, missing);
        if (p.sub == missing_some)
            i += place_at(order, i + 1).sub - 1;
        else if (!missing && order->error == 0)
            more = visit(context, shown, p.sub);
        more = more && order->error == 0;
    }
    g_array_free(callers, TRUE);
    return order->error;
}
