#include "calls/longest_calls.h"

#include <glib.h>

/* Calls of one depth that have returned, and wait for their caller. */
typedef struct waiting {
    uint32_t depth;
    double ticks; /* inclusive */
} waiting;

struct nytp_longest_calls {
    GArray *kept; /* nytp_long_call; up to twice as many as are wanted */
    size_t most;
    double threshold_ticks; /* calls must be longer */
    GArray *levels;         /* waiting, the deepest last */
    double now_ticks;       /* since the process started */
    uint32_t process;
    bool begun; /* a process has started, or a call returned */
    uint64_t total;
};

nytp_longest_calls *nytp_longest_calls_new(size_t most)
{
    nytp_longest_calls *l = g_new0(nytp_longest_calls, 1);
    l->kept = g_array_new(FALSE, FALSE, sizeof(nytp_long_call));
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

static void drop_shortest(nytp_longest_calls *l)
{
    g_array_sort(l->kept, by_length);
    if (l->kept->len <= l->most)
        return;
    g_array_set_size(l->kept, (guint)l->most);
    l->threshold_ticks = g_array_index(l->kept, nytp_long_call, l->most - 1).ticks;
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

void nytp_longest_calls_add(nytp_longest_calls *longest, uint32_t sub, uint32_t depth, double excl_ticks)
{
    double own = excl_ticks > 0 ? excl_ticks : 0;
    double ticks = own + adopt(longest->levels, depth);
    let_wait(longest->levels, depth, ticks);
    longest->now_ticks += own;
    longest->begun = true;
    uint64_t number = longest->total++;
    if (ticks <= longest->threshold_ticks)
        return;
    nytp_long_call call = {sub, depth, longest->process, longest->now_ticks - ticks, ticks, number};
    g_array_append_val(longest->kept, call);
    if (longest->kept->len == 2 * longest->most)
        drop_shortest(longest);
}

void nytp_longest_calls_begin_process(nytp_longest_calls *longest)
{
    longest->process += longest->begun;
    longest->begun = true;
    longest->now_ticks = 0;
    g_array_set_size(longest->levels, 0);
}

const nytp_long_call *nytp_longest_calls_get(nytp_longest_calls *longest, size_t *count)
{
    drop_shortest(longest);
    g_array_sort(longest->kept, by_begin);
    *count = longest->kept->len;
    return (const nytp_long_call *)(const void *)longest->kept->data;
}

uint64_t nytp_longest_calls_total(const nytp_longest_calls *longest)
{
    return longest->total;
}
