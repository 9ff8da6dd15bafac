/* Chunks of an input that wait until all its subs are known. Only then is it known where lines of its evals
 * are shown (merge/fid_map.h). */
#pragma once

#include "nytprof.h"

typedef struct merge_pending merge_pending;

merge_pending *merge_pending_new(void);
void merge_pending_free(merge_pending *pending);

/* Adds a copy of a TIME chunk, SUB_CALLERS or SRC_LINE. discount: a DISCOUNT comes before it. Returns false,
 * and does not add it, if too many wait already. */
bool merge_pending_add(merge_pending *pending, const nytp_chunk *chunk, bool discount);

/* Returns whether a SRC_LINE waits. */
bool merge_pending_has_source(const merge_pending *pending);

/* Calls each for the chunks in the order in which they were added, and forgets them. */
typedef void merge_pending_fn(void *context, const nytp_chunk *chunk, bool discount);
void merge_pending_release(merge_pending *pending, merge_pending_fn *each, void *context);
