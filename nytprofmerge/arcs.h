/* The arcs of all inputs: SUB_CALLERS chunks with the same place, caller and callee are summed. */
#ifndef MERGE_ARCS_H
#define MERGE_ARCS_H

#include "names.h"

typedef struct merge_arcs merge_arcs;

merge_arcs *merge_arcs_new(nytp_names *names); /* which stay the caller's */
void merge_arcs_free(merge_arcs *arcs);

/* fid and file are of the merged profile: those to show, and those that the call was made in. They differ in
 * an eval whose sub is shown in another. */
void merge_arcs_add(merge_arcs *arcs, const nytp_chunk *sub_callers, uint32_t origin_fid);

/* Calls take for each arc, in order of first sight; again, with no time, for every 4294967295 calls of it. */
typedef void merge_arc_fn(void *context, const nytp_chunk *sub_callers, uint32_t origin_fid);
void merge_arcs_each(const merge_arcs *arcs, merge_arc_fn *take, void *context);

size_t merge_arcs_count(const merge_arcs *arcs);

#endif
