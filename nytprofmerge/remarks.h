/* What a merged profile says in comments, so that it can be merged again as if its inputs were merged then.
 *
 * Where a sub that evals define again is shown in the first of them (folds.h), nothing else tells whose lines
 * those are. Stock's readers pass over comments.
 */
#ifndef MERGE_REMARKS_H
#define MERGE_REMARKS_H

#include "nytprof.h"

#include <glib.h>

/* Each calls put with a COMMENT, or several. */
typedef void merge_put_fn(void *context, const nytp_chunk *chunk);
void merge_remark_begin(merge_put_fn *put,
                        void *context); /* the profile's first: the others mean something */
void merge_remark_origin(uint32_t fid, merge_put_fn *put, void *context);
void merge_remark_definers(const uint32_t *fids, size_t count, merge_put_fn *put, void *context);
void merge_remark_runs(nytp_str application, uint64_t runs, merge_put_fn *put, void *context);

enum merge_remark {
    MERGE_NO_REMARK, /* some other comment */
    MERGE_BEGIN,
    MERGE_ORIGIN,   /* fid of the eval that the next statement, arc or source line stems from */
    MERGE_DEFINERS, /* fids of those that define the next sub, or some of them */
    MERGE_RUNS
};

enum merge_remark merge_remark_kind(nytp_str text);
uint32_t merge_remark_take_origin(nytp_str text);
void merge_remark_take_definers(nytp_str text, GArray *fids); /* appends uint32_t */
nytp_str merge_remark_take_runs(nytp_str text, uint64_t *runs);

#endif
