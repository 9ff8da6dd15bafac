/* Where subs are: the SUB_INFO chunks of all inputs, and what they say of string evals.
 *
 * A sub that the evals of a place define again is shown once: in the first eval of the place, with the
 * lines that the others spent in it. That holds for as long as it has the same line range; who defines
 * it otherwise keeps it, and so does every eval its subs without a name, which are called after it.
 *
 * So the subs of an input must be known before its statements are written, and come behind them: the input is
 * read twice, if there is an eval in it which is not the first of its place.
 */
#ifndef MERGE_FOLDS_H
#define MERGE_FOLDS_H

#include "files.h"
#include "names.h"

typedef struct merge_folds merge_folds;

merge_folds *merge_folds_new(nytp_names *names); /* which stay the caller's */
void merge_folds_free(merge_folds *folds);

/* Takes a SUB_INFO of the input at hand. definers: fids of the input, when it was merged already and they are
 * not the chunk's alone; else none. */
void merge_folds_take(merge_folds *folds, const nytp_chunk *sub_info, const uint32_t *definers, size_t count);

/* The input has no more SUB_INFOs: says of each file which lines are moved, and remembers what
 * merge_folds_each() tells. Those of files that the input has not named are passed over. */
void merge_folds_settle(merge_folds *folds, merge_files *files);

/* Forgets what was taken and not settled. */
void merge_folds_drop(merge_folds *folds);

/* Calls take for each sub and range, in order of first sight. definers: the evals that it stems from, when
 * that is not the file alone that sub_info names; else none. */
typedef void merge_fold_fn(void *context, const nytp_chunk *sub_info, const uint32_t *definers, size_t count);
void merge_folds_each(const merge_folds *folds, merge_fold_fn *take, void *context);

#endif
