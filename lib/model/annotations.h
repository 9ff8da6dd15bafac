/* Annotations: comments that nytprofmerge writes. With them, merging in several steps gives the same result
 * as merging all inputs at once.
 *
 * When lines of an eval are shown in the first eval of its place (merge/fid_map.h), only an annotation says
 * from which eval they come. Stock's readers ignore comments.
 */
#pragma once

#include "nytprof.h"

#include <glib.h>

/* Each calls put with one or several COMMENTs. nytp_annotate_begin() must be the first, because only
 * comments after it count as annotations. */
typedef void nytp_put_annotation_fn(void *context, const nytp_chunk *chunk);
void nytp_annotate_begin(nytp_put_annotation_fn *put, void *context);
void nytp_annotate_origin(uint32_t fid, nytp_put_annotation_fn *put, void *context);
void nytp_annotate_definers(const uint32_t *fids, size_t count, nytp_put_annotation_fn *put, void *context);
void nytp_annotate_later_definers(uint32_t sub_info, const uint32_t *fids, size_t count,
                                  nytp_put_annotation_fn *put, void *context);
void nytp_annotate_application(nytp_str application, uint64_t processes, nytp_put_annotation_fn *put,
                               void *context);

enum nytp_annotation {
    NYTP_NO_ANNOTATION, /* another kind of comment */
    NYTP_BEGINS_ANNOTATIONS,
    NYTP_ANNOTATED_ORIGIN,   /* fid of the eval that the next statement, arc or source line comes from */
    NYTP_ANNOTATED_DEFINERS, /* fids of evals that define the next sub; several annotations add up */
    NYTP_ANNOTATED_LATER_DEFINERS, /* number of a SUB_INFO, from 1 on, and fids of more evals that define its
                                      sub */
    NYTP_ANNOTATED_APPLICATION     /* how many processes of an application were profiled */
};

/* Returns the kind of a comment. */
enum nytp_annotation nytp_annotation_kind(nytp_str text);

/* Return the contents of an annotation of that kind. */
uint32_t nytp_annotation_origin(nytp_str text);
void nytp_annotation_definers(nytp_str text, GArray *fids);           /* appends uint32_t */
uint32_t nytp_annotation_later_definers(nytp_str text, GArray *fids); /* returns the number */
nytp_str nytp_annotation_application(nytp_str text, uint64_t *processes);
