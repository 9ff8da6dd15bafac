/* Annotations: comments in a merged profile, so that merging it with others gives the same as merging all
 * inputs at once would.
 *
 * When lines of an eval are shown in the first eval of its place (model/fid_map.h), only an annotation says
 * where they come from. Stock's readers ignore comments.
 */
#ifndef MERGE_ANNOTATIONS_H
#define MERGE_ANNOTATIONS_H

#include "nytprof.h"

#include <glib.h>

/* Each calls put with one or several COMMENTs. merge_annotate_begin() must be the first, because only
 * comments after it count as annotations. */
typedef void merge_put_fn(void *context, const nytp_chunk *chunk);
void merge_annotate_begin(merge_put_fn *put, void *context);
void merge_annotate_origin(uint32_t fid, merge_put_fn *put, void *context);
void merge_annotate_definers(const uint32_t *fids, size_t count, merge_put_fn *put, void *context);
void merge_annotate_runs(nytp_str application, uint64_t runs, merge_put_fn *put, void *context);

enum merge_annotation {
    MERGE_NO_ANNOTATION, /* some other comment */
    MERGE_BEGIN,
    MERGE_ORIGIN,   /* fid of the eval that the next statement, arc or source line comes from */
    MERGE_DEFINERS, /* fids of evals that define the next sub; several annotations add up */
    MERGE_RUNS      /* in how many runs an application was profiled */
};

enum merge_annotation merge_annotation_kind(nytp_str text);

/* Return what an annotation of that kind says. */
uint32_t merge_annotation_origin(nytp_str text);
void merge_annotation_definers(nytp_str text, GArray *fids); /* appends uint32_t */
nytp_str merge_annotation_runs(nytp_str text, uint64_t *runs);

#endif
