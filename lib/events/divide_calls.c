#include "events/divide_calls.h"

#include "model/grow.h"

#include <math.h>

typedef struct before {
    guint end; /* its index */
    double ticks;
} before;

/* The ends follow one another, but for calls of damaged profiles. */
void nytp_before_end_add(GArray **all, guint end, double ticks)
{
    const before added = {end, ticks};
    if (*all == NULL)
        *all = NYTP_ARRAY(before);
    guint i = (*all)->len;
    while (i > 0 && g_array_index(*all, before, i - 1).end > end)
        i--;
    if (i > 0 && g_array_index(*all, before, i - 1).end == end)
        g_array_index(*all, before, i - 1).ticks += ticks;
    else
        g_array_insert_val(*all, i, added);
}

double nytp_before_end(const GArray *all, guint end, guint *i)
{
    const guint count = all != NULL ? all->len : 0;
    while (*i < count && g_array_index(all, before, *i).end < end)
        ++*i;
    return *i < count && g_array_index(all, before, *i).end == end ? g_array_index(all, before, *i).ticks : 0;
}

void nytp_divided_pass_end(const nytp_levels *levels, guint end)
{
    for (guint n = 0; n < levels->count; n++) {
        nytp_divided_level *l = nytp_levels_nth(levels, n);
        if (l->ticks != 0)
            nytp_before_end_add(&l->before, end, l->ticks);
    }
}

/* Returns how many ends are before the moment at which a call counts: its end. The first part of a request
 * counts when it begins, since the request does so then. */
static guint ends_before_count(const GArray *ends, const nytp_divided_call *call,
                               const nytp_divided_level *here, uint64_t request)
{
    if (request == 0)
        return call->end;
    const guint begin = nytp_ends_before(ends, nextafter(call->begin_ticks, INFINITY));
    return CLAMP(begin, here->ends, call->end);
}

void nytp_divide_call(const GArray *ends, const nytp_divided_call *call, bool counts,
                      const nytp_divided_level *callees, nytp_divided_level *here, nytp_return *left)
{
    const double all_excl_ticks = fmax(left->excl_ticks, 0);
    guint known = 0;
    left->is_part |= counts && ends_before_count(ends, call, here, left->request) % 2 == 0;
    if (call->end % 2 == 0)
        left->excl_ticks = left->incl_ticks = 0;
    for (guint i = MAX(call->begin, here->ends); i < call->end; i++) {
        const double ticks = nytp_end_at(ends, i) - call->begin_ticks, sign = i % 2 == 1 ? 1 : -1;
        const double own_ticks = ticks - nytp_before_end(callees->before, i, &known);
        left->incl_ticks += sign * ticks;
        left->excl_ticks += sign * fmin(fmax(own_ticks, 0), all_excl_ticks);
        nytp_before_end_add(&here->before, i, ticks);
    }
    here->ends = call->end;
}
