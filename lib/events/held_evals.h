/* The string evals that run, of which a filter passes on the begins, some of them only when it is known that
 * something is left of the eval. */
#pragma once

#include "events/filter.h"

#include <glib.h>

/* Only in damaged profiles more run at once. Those are ignored. */
enum { NYTP_MOST_OPEN_EVALS = 1 << 20 };

/* Returns how many calls were open when the eval of the mark, of its begin or end, began. */
static inline uint32_t nytp_eval_depth(const nytp_mark *mark)
{
    return (uint32_t)(mark->kind == NYTP_MARK_EVAL_BEGIN ? mark->eval_begin.depth : mark->eval_end.depth);
}

typedef struct nytp_held_evals {
    GArray *open; /* those that run, the outermost first */
    guint passed; /* how many of them were passed on */
} nytp_held_evals;

nytp_held_evals nytp_held_evals_new(void);
void nytp_held_evals_free(nytp_held_evals *held);

/* An eval begins, when the filter's clock said began_ticks. */
void nytp_held_evals_add(nytp_held_evals *held, const nytp_mark *begin, double began_ticks);

/* Passes on the begins of those that run, some of which were not passed on. */
void nytp_held_evals_pass_some(nytp_held_evals *held, const nytp_filter *filter);

/* Passes on the begins of those that run. */
static inline void nytp_held_evals_pass(nytp_held_evals *held, const nytp_filter *filter)
{
    if (held->passed < held->open->len)
        nytp_held_evals_pass_some(held, filter);
}

/* The calls from that depth on have ended, and so have the evals that they had begun. Some run. */
void nytp_held_evals_leave_some(nytp_held_evals *held, uint32_t depth);

/* The same, whether any run or not. */
static inline void nytp_held_evals_leave(nytp_held_evals *held, uint32_t depth)
{
    if (held->open->len > 0)
        nytp_held_evals_leave_some(held, depth);
}

/* Returns whether the innermost eval is the one that ends. If so, *began_ticks receives what the clock said
 * when it began. */
bool nytp_held_evals_ends(nytp_held_evals *held, const nytp_mark *end, double *began_ticks);

/* The innermost eval ends. Passes that on if its begin was, or if it has time of its own. */
void nytp_held_evals_end(nytp_held_evals *held, const nytp_filter *filter, const nytp_mark *end);
