/* The arcs of all inputs: sums of the SUB_CALLERS chunks with the same place, caller and callee. */
#pragma once

#include "model/names.h"

typedef struct merge_arcs merge_arcs;

merge_arcs *merge_arcs_new(nytp_names *names); /* names stays the caller's */
void merge_arcs_free(merge_arcs *arcs);        /* not NULL */

/* Adds a SUB_CALLERS whose fid is the merged fid of the file that shows it. origin_fid is the merged fid of
 * the file where the call was made. They differ if the line has moved to the first eval of its place. */
void merge_arcs_add(merge_arcs *arcs, const nytp_chunk *sub_callers, uint32_t origin_fid);

/* Calls each for the arcs, in order of first sight. An arc with more calls than fit into a chunk comes in
 * several chunks, the first of which has all of its time. */
typedef void merge_arc_fn(void *context, const nytp_chunk *sub_callers, uint32_t origin_fid);
void merge_arcs_each(const merge_arcs *arcs, merge_arc_fn *each, void *context);

size_t merge_arcs_count(const merge_arcs *arcs);
