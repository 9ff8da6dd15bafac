/* Where subs are: the SUB_INFO chunks of all inputs, and which subs of string evals are shown elsewhere.
 *
 * A sub that several evals of one place define is shown once: in the first eval of the place, where the
 * statements are shown, too, that the others spent in it. That is so for the evals that have it at the lines
 * where it was seen first; one that has it at others keeps it. Anonymous subs stay in their evals as well,
 * for their names tell the eval.
 *
 * So the subs of an input must be known before its statements can be written. They come behind these, though:
 * what is of evals that are not the first of their places waits (later.h), or the input is read twice.
 */
#ifndef MERGE_FOLDS_H
#define MERGE_FOLDS_H

#include "files.h"
#include "model/names.h"

typedef struct merge_folds merge_folds;

merge_folds *merge_folds_new(nytp_names *names); /* which stay the caller's */
void merge_folds_free(merge_folds *folds);

/* Takes a SUB_INFO of the input at hand. definers: fids, of the input, of the evals that define it, if that
 * was merged before and they are others than the chunk's alone; else none. */
void merge_folds_take(merge_folds *folds, const nytp_chunk *sub_info, const uint32_t *definers, size_t count);

/* All SUB_INFOs of the input were taken: calls merge_files_move() for the lines that are shown elsewhere, and
 * remembers what merge_folds_each() tells. Subs in files that the input has not named are left out. */
void merge_folds_settle(merge_folds *folds, merge_files *files);

/* Forgets what was taken and not settled. */
void merge_folds_drop(merge_folds *folds);

/* Calls take for each sub and range, in order of first sight. definers: fids of the evals that define it, if
 * they are others than the chunk's alone; else none. */
typedef void merge_fold_fn(void *context, const nytp_chunk *sub_info, const uint32_t *definers, size_t count);
void merge_folds_each(const merge_folds *folds, merge_fold_fn *take, void *context);

#endif
