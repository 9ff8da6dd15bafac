/* What filters hold of calls and evals that have not ended. */
#pragma once

#include "events/filter.h"

#include <glib.h>

/* The SUB_ENTRYs of open calls, of which a filter passes on those of calls that something is left of: what
 * comes of a call is known only later. */

typedef struct nytp_held_entries {
    GArray *entries; /* nytp_chunk: of the open calls, the outermost first */
    guint passed;    /* how many of them were passed on */
} nytp_held_entries;

nytp_held_entries nytp_held_entries_new(void);
void nytp_held_entries_free(nytp_held_entries *held);

/* A call begins. */
void nytp_held_entries_add(nytp_held_entries *held, const nytp_chunk *entry);

/* Passes on the entries of the calls down to that depth, the outermost first. */
static inline void nytp_held_entries_pass(nytp_held_entries *held, const nytp_filter *filter, guint depth)
{
    for (; held->passed < MIN(depth, held->entries->len); held->passed++)
        nytp_filter_pass(filter, &g_array_index(held->entries, nytp_chunk, held->passed));
}

/* Returns whether the entry of the call of that depth, which goes on, was passed on. */
static inline bool nytp_held_entries_has_passed(const nytp_held_entries *held, guint depth)
{
    return held->passed > (depth > 0 ? depth - 1 : 0);
}

/* The call of that depth returns, so it and the calls within it are no longer open. Returns whether its entry
 * was passed on. */
static inline bool nytp_held_entries_leave(nytp_held_entries *held, guint depth)
{
    const guint left = depth > 0 ? depth - 1 : 0;
    if (left >= held->entries->len)
        return false;
    const bool was_passed = nytp_held_entries_has_passed(held, depth);
    g_array_set_size(held->entries, left);
    held->passed = MIN(held->passed, left);
    return was_passed;
}

/* The string evals that run, of which a filter passes on the begins, some of them only when it is known that
 * something is left of the eval. */

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

/* Passes on the begins of the evals that run, some of which were not passed on. */
void nytp_held_evals_pass_some(nytp_held_evals *held, const nytp_filter *filter);

/* Passes on the begins of the evals that run. */
static inline void nytp_held_evals_pass(nytp_held_evals *held, const nytp_filter *filter)
{
    if (held->passed < held->open->len)
        nytp_held_evals_pass_some(held, filter);
}

/* The calls from that depth on have ended, and so have the evals that they had begun. At least one eval must
 * run. */
void nytp_held_evals_leave_some(nytp_held_evals *held, uint32_t depth);

/* nytp_held_evals_leave_some(), also if no eval runs. */
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
