#include "events/held.h"

#include "model/grow.h"

typedef struct held_eval {
    nytp_mark begin;
    double began_ticks;
} held_eval;

nytp_held_evals nytp_held_evals_new(void)
{
    return (nytp_held_evals){.open = NYTP_ARRAY(held_eval)};
}

void nytp_held_evals_free(nytp_held_evals *held)
{
    g_array_free(held->open, TRUE);
}

static const held_eval *nth(const nytp_held_evals *held, guint n)
{
    return &g_array_index(held->open, held_eval, n);
}

static void cut_to(nytp_held_evals *held, guint count)
{
    g_array_set_size(held->open, count);
    held->passed = MIN(held->passed, count);
}

void nytp_held_evals_add(nytp_held_evals *held, const nytp_mark *begin, double began_ticks)
{
    const held_eval added = {*begin, began_ticks};
    nytp_held_evals_leave(held, nytp_eval_depth(begin) + 1);
    if (held->open->len < NYTP_MOST_OPEN_EVALS)
        g_array_append_val(held->open, added);
}

void nytp_held_evals_pass_some(nytp_held_evals *held, const nytp_filter *filter)
{
    for (; held->passed < held->open->len; held->passed++)
        nytp_filter_pass_mark(filter, &nth(held, held->passed)->begin);
}

void nytp_held_evals_leave_some(nytp_held_evals *held, uint32_t depth)
{
    guint count = held->open->len;
    while (count > 0 && nytp_eval_depth(&nth(held, count - 1)->begin) >= depth)
        count--;
    if (count < held->open->len)
        cut_to(held, count);
}

bool nytp_held_evals_ends(nytp_held_evals *held, const nytp_mark *end, double *began_ticks)
{
    nytp_held_evals_leave(held, nytp_eval_depth(end) + 1);
    const held_eval *last = held->open->len > 0 ? nth(held, held->open->len - 1) : NULL;
    const bool ends = last != NULL && nytp_eval_depth(&last->begin) == nytp_eval_depth(end);
    if (ends)
        *began_ticks = last->began_ticks;
    return ends;
}

void nytp_held_evals_end(nytp_held_evals *held, const nytp_filter *filter, const nytp_mark *end)
{
    if (end->eval_end.ticks > 0)
        nytp_held_evals_pass(held, filter);
    if (held->passed == held->open->len)
        nytp_filter_pass_mark(filter, end);
    cut_to(held, held->open->len - 1);
}
