/* What a merged profile says in comments, so that merging it again gives the same as merging its inputs then.
 *
 * Where a sub of an eval is shown in the first eval of the place (folds.h), nothing else tells where its
 * lines stem from. Stock's readers pass over comments.
 */
#ifndef MERGE_REMARKS_H
#define MERGE_REMARKS_H

#include "nytprof.h"

#include <glib.h>

/* Each calls put with one COMMENT or several. That of begin() comes first: it makes others remarks. */
typedef void merge_put_fn(void *context, const nytp_chunk *chunk);
void merge_remark_begin(merge_put_fn *put, void *context);
void merge_remark_origin(uint32_t fid, merge_put_fn *put, void *context);
void merge_remark_definers(const uint32_t *fids, size_t count, merge_put_fn *put, void *context);
void merge_remark_runs(nytp_str application, uint64_t runs, merge_put_fn *put, void *context);

enum merge_remark {
    MERGE_NO_REMARK, /* some other comment */
    MERGE_BEGIN,
    MERGE_ORIGIN,   /* fid of the eval that the next statement, arc or source line stems from */
    MERGE_DEFINERS, /* fids of evals that define the next sub; several remarks add up */
    MERGE_RUNS      /* in how many runs an application was profiled */
};

enum merge_remark merge_remark_kind(nytp_str text);

/* What a remark of that kind says. */
uint32_t merge_remark_take_origin(nytp_str text);
void merge_remark_take_definers(nytp_str text, GArray *fids); /* appends uint32_t */
nytp_str merge_remark_take_runs(nytp_str text, uint64_t *runs);

#endif
