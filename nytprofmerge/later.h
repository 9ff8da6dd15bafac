/* Chunks of an input that wait until it is known where the subs of their evals are shown (folds.h). */
#ifndef MERGE_LATER_H
#define MERGE_LATER_H

#include "nytprof.h"

typedef struct merge_later merge_later;

merge_later *merge_later_new(void);
void merge_later_free(merge_later *later);

/* Keeps a copy of a TIME chunk (discount: it has a DISCOUNT), SUB_CALLERS or SRC_LINE. False: there are too
 * many, and it was not kept. */
bool merge_later_keep(merge_later *later, const nytp_chunk *chunk, bool discount);

/* Whether a SRC_LINE is among them. */
bool merge_later_has_source(const merge_later *later);

/* Calls take for each, in the order in which they were kept, and forgets them. */
typedef void merge_later_fn(void *context, const nytp_chunk *chunk, bool discount);
void merge_later_release(merge_later *later, merge_later_fn *take, void *context);

#endif
