#include "calls/longest_calls.h"

#include "base/order.h"
#include "base/ticks.h"
#include "model/grow.h"

#include <glib.h>
#include <math.h>

struct nytp_longest_calls {
    GArray *kept; /* nytp_long_call; up to twice as many as are wanted */
    size_t most;
    double threshold_ticks; /* calls must be longer */
    uint32_t process;
    bool begun; /* a process has started, or a call returned */
    uint64_t total;
};

nytp_longest_calls *nytp_longest_calls_new(size_t most)
{
    nytp_longest_calls *l = g_new0(nytp_longest_calls, 1);
    l->kept = NYTP_ARRAY(nytp_long_call);
    l->most = most;
    l->threshold_ticks = -1;
    return l;
}

void nytp_longest_calls_free(nytp_longest_calls *longest)
{
    if (longest == NULL)
        return;
    g_array_free(longest->kept, TRUE);
    g_free(longest);
}

/* The longest first; of equal ones the caller first. */
static gint by_length(gconstpointer x, gconstpointer y)
{
    const nytp_long_call *a = x, *b = y;
    return nytp_order3(NYTP_ORDER(b->ticks, a->ticks), NYTP_ORDER(a->depth, b->depth),
                       NYTP_ORDER(a->number, b->number));
}

static gint by_begin(gconstpointer x, gconstpointer y)
{
    const nytp_long_call *a = x, *b = y;
    return nytp_order4(NYTP_ORDER(a->process, b->process), NYTP_ORDER(a->begin_ticks, b->begin_ticks),
                       NYTP_ORDER(a->depth, b->depth), NYTP_ORDER(a->number, b->number));
}

/* Puts the longest calls first, so many of them, and of these the shortest last (quickselect). A pivot by
 * chance, so that no file can be made to take long. */
static void select_longest(nytp_long_call *calls, gint count, gint most)
{
    gint from = 0, to = count;
    while (to - from > 1) {
        const nytp_long_call pivot = calls[g_random_int_range(from, to)];
        gint i = from, k = to - 1;
        while (i <= k) {
            while (by_length(&calls[i], &pivot) < 0)
                i++;
            while (by_length(&pivot, &calls[k]) < 0)
                k--;
            if (i > k)
                break;
            const nytp_long_call moved = calls[i];
            calls[i++] = calls[k];
            calls[k--] = moved;
        }
        if (most <= k + 1)
            to = k + 1;
        else if (most > i)
            from = i;
        else
            return;
    }
}

static void drop_shortest(nytp_longest_calls *l)
{
    if (l->kept->len <= l->most)
        return;
    select_longest((nytp_long_call *)(void *)l->kept->data, (gint)l->kept->len, (gint)l->most);
    g_array_set_size(l->kept, (guint)l->most);
    l->threshold_ticks = fmax(l->threshold_ticks, g_array_index(l->kept, nytp_long_call, l->most - 1).ticks);
}

void nytp_longest_calls_add(nytp_longest_calls *longest, uint32_t sub, uint32_t depth, double begin_ticks,
                            double ticks)
{
    const nytp_long_call call = {
        sub, depth, longest->process, nytp_at_least_0(begin_ticks), nytp_at_least_0(ticks), longest->total++};
    longest->begun = true;
    if (call.ticks <= longest->threshold_ticks)
        return;
    g_array_append_val(longest->kept, call);
    if (longest->kept->len == 2 * longest->most)
        drop_shortest(longest);
}

void nytp_longest_calls_begin_process(nytp_longest_calls *longest)
{
    longest->process += longest->begun;
    longest->begun = true;
}

static gint by_number(gconstpointer x, gconstpointer y)
{
    const nytp_long_call *a = x, *b = y;
    return NYTP_ORDER(a->number, b->number);
}

/* Where a call stands among the others that were kept, by their indexes. NONE: there is none. */
typedef struct place {
    guint caller, first_callee, next; /* next: of the same caller */
    double callees_ticks;             /* of its callees that have not been placed */
    double free_ticks;                /* where the next of them may begin */
} place;

static const guint NONE = G_MAXUINT;

/* Sets the places of calls, which are sorted by return: a call's caller is the next that is less deep, of the
 * same process. Returns the first of those without a caller. */
static guint find_callers(const GArray *calls, place *at)
{
    guint first = NONE, inner = NONE; /* inner: the innermost call that goes on */
    for (guint i = calls->len; i-- > 0; inner = i) {
        const nytp_long_call *call = &g_array_index(calls, nytp_long_call, i), *caller;
        for (; inner != NONE; inner = at[inner].caller) {
            caller = &g_array_index(calls, nytp_long_call, inner);
            if (caller->process == call->process && caller->depth < call->depth)
                break;
        }
        guint *link = inner != NONE ? &at[inner].first_callee : &first;
        at[i] = (place){.caller = inner, .first_callee = NONE, .next = *link};
        *link = i;
        if (inner != NONE)
            at[inner].callees_ticks += call->ticks;
    }
    return first;
}

/* When a call began is known to within a statement. Here it is moved after the call before it, and early
 * enough that it and those that follow end with their caller. */
static void place_call(nytp_long_call *call, place *at, place *caller, double caller_end)
{
    call->begin_ticks = fmax(caller->free_ticks, fmin(call->begin_ticks, caller_end - caller->callees_ticks));
    caller->callees_ticks -= call->ticks;
    caller->free_ticks = call->begin_ticks + call->ticks;
    at->free_ticks = call->begin_ticks;
}

/* The call that begins after call i: its first callee, or else the next one of its caller or of those around.
 */
static guint next_begun(const place *at, guint i)
{
    if (at[i].first_callee != NONE)
        return at[i].first_callee;
    while (at[i].next == NONE && at[i].caller != NONE)
        i = at[i].caller;
    return at[i].next;
}

static void place_calls(const nytp_longest_calls *l)
{
    g_array_sort(l->kept, by_number);
    g_autofree place *at = g_new(place, l->kept->len);
    nytp_long_call *calls = (nytp_long_call *)(void *)l->kept->data;
    place outside = {0};
    uint32_t process = 0;
    for (guint i = find_callers(l->kept, at); i != NONE; i = next_begun(at, i)) {
        const guint caller = at[i].caller;
        if (process != calls[i].process)
            outside = (place){0};
        process = calls[i].process;
        if (caller != NONE)
            place_call(&calls[i], &at[i], &at[caller], calls[caller].begin_ticks + calls[caller].ticks);
        else
            place_call(&calls[i], &at[i], &outside, HUGE_VAL);
    }
}

const nytp_long_call *nytp_longest_calls_get(nytp_longest_calls *longest, size_t *count)
{
    drop_shortest(longest);
    place_calls(longest);
    g_array_sort(longest->kept, by_begin);
    *count = longest->kept->len;
    return (const nytp_long_call *)(const void *)longest->kept->data;
}

uint64_t nytp_longest_calls_total(const nytp_longest_calls *longest)
{
    return longest->total;
}
