#include "calls/longest_calls.h"

#include "calls/pauses.h"

#include <glib.h>
#include <math.h>

/* Calls of one depth that have returned, and wait for their caller. */
typedef struct waiting {
    uint32_t depth;
    double ticks; /* inclusive */
} waiting;

struct nytp_longest_calls {
    GArray *kept; /* nytp_long_call; up to twice as many as are wanted */
    GArray *last; /* the same of those that returned after the last pause; begin_ticks has no pauses */
    size_t most;
    double threshold_ticks; /* calls must be longer */
    GArray *levels;         /* waiting, the deepest last */
    double now_ticks;       /* since the process started, without pauses */
    nytp_pauses pauses;
    uint32_t process;
    bool begun; /* a process has started, or a call returned */
    uint64_t total;
};

nytp_longest_calls *nytp_longest_calls_new(size_t most)
{
    nytp_longest_calls *l = g_new0(nytp_longest_calls, 1);
    l->kept = g_array_new(FALSE, FALSE, sizeof(nytp_long_call));
    l->last = g_array_new(FALSE, FALSE, sizeof(nytp_long_call));
    l->levels = g_array_new(FALSE, FALSE, sizeof(waiting));
    l->most = most;
    l->threshold_ticks = -1;
    return l;
}

void nytp_longest_calls_free(nytp_longest_calls *longest)
{
    if (longest == NULL)
        return;
    g_array_free(longest->kept, TRUE);
    g_array_free(longest->last, TRUE);
    g_array_free(longest->levels, TRUE);
    g_free(longest);
}

/* The longest first; of equal ones the caller first. */
static gint by_length(gconstpointer x, gconstpointer y)
{
    const nytp_long_call *a = x, *b = y;
    if (a->ticks != b->ticks)
        return a->ticks < b->ticks ? 1 : -1;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static gint by_begin(gconstpointer x, gconstpointer y)
{
    const nytp_long_call *a = x, *b = y;
    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->begin_ticks != b->begin_ticks)
        return a->begin_ticks < b->begin_ticks ? -1 : 1;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static void drop_shortest(nytp_longest_calls *l, GArray *calls)
{
    g_array_sort(calls, by_length);
    if (calls->len <= l->most)
        return;
    g_array_set_size(calls, (guint)l->most);
    l->threshold_ticks = fmax(l->threshold_ticks, g_array_index(calls, nytp_long_call, l->most - 1).ticks);
}

static void keep(nytp_longest_calls *l, GArray *calls, nytp_long_call call)
{
    g_array_append_val(calls, call);
    if (calls->len == 2 * l->most)
        drop_shortest(l, calls);
}

/* The pauses before these calls are known. */
static void place_last(nytp_longest_calls *l)
{
    for (guint i = 0; i < l->last->len; i++) {
        nytp_long_call call = g_array_index(l->last, nytp_long_call, i);
        call.begin_ticks += l->pauses.ticks;
        keep(l, l->kept, call);
    }
    g_array_set_size(l->last, 0);
}

void nytp_longest_calls_add_statements(nytp_longest_calls *longest, double ticks)
{
    if (nytp_pauses_statement(&longest->pauses, ticks, longest->now_ticks))
        place_last(longest);
}

/* The inclusive time of the calls at depth + 1, whose caller returns. Deeper ones have lost theirs. */
static double adopt(GArray *levels, uint32_t depth)
{
    double ticks = 0;
    while (levels->len > 0 && g_array_index(levels, waiting, levels->len - 1).depth > depth) {
        const waiting *top = &g_array_index(levels, waiting, levels->len - 1);
        if (top->depth - depth == 1)
            ticks = top->ticks;
        g_array_set_size(levels, levels->len - 1);
    }
    return ticks;
}

static void let_wait(GArray *levels, uint32_t depth, double ticks)
{
    if (levels->len == 0 || g_array_index(levels, waiting, levels->len - 1).depth != depth)
        g_array_append_val(levels, ((waiting){depth, 0}));
    g_array_index(levels, waiting, levels->len - 1).ticks += ticks;
}

double nytp_longest_calls_add(nytp_longest_calls *longest, uint32_t sub, uint32_t depth, double excl_ticks)
{
    double own = excl_ticks > 0 ? excl_ticks : 0;
    double ticks = own + adopt(longest->levels, depth);
    let_wait(longest->levels, depth, ticks);
    longest->now_ticks += own;
    longest->begun = true;
    uint64_t number = longest->total++;
    nytp_pauses_return(&longest->pauses, depth);
    nytp_long_call call = {sub, depth, longest->process, longest->now_ticks - ticks, ticks, number};
    if (ticks > longest->threshold_ticks)
        keep(longest, longest->last, call);
    return ticks;
}

void nytp_longest_calls_begin_process(nytp_longest_calls *longest)
{
    place_last(longest);
    longest->pauses = (nytp_pauses){0};
    longest->process += longest->begun;
    longest->begun = true;
    longest->now_ticks = 0;
    g_array_set_size(longest->levels, 0);
}

const nytp_long_call *nytp_longest_calls_get(nytp_longest_calls *longest, size_t *count)
{
    place_last(longest);
    drop_shortest(longest, longest->kept);
    g_array_sort(longest->kept, by_begin);
    *count = longest->kept->len;
    return (const nytp_long_call *)(const void *)longest->kept->data;
}

uint64_t nytp_longest_calls_total(const nytp_longest_calls *longest)
{
    return longest->total;
}
