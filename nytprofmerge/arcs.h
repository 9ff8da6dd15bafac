/* The arcs of all inputs: SUB_CALLERS chunks with the same place, caller and callee are summed. */
#ifndef MERGE_ARCS_H
#define MERGE_ARCS_H

#include "model/names.h"

typedef struct merge_arcs merge_arcs;

merge_arcs *merge_arcs_new(nytp_names *names); /* which stay the caller's */
void merge_arcs_free(merge_arcs *arcs);

/* Adds a SUB_CALLERS. Its fid, of the merged profile, is that of the file to show it in; origin_fid that of
 * the one where the call was made, which is another for a sub of an eval that is shown in the first of its
 * place. */
void merge_arcs_add(merge_arcs *arcs, const nytp_chunk *sub_callers, uint32_t origin_fid);

/* Calls take for each arc, in order of first sight; where a chunk's count has no room for all of its calls
 * several times, the first time with all of its time. */
typedef void merge_arc_fn(void *context, const nytp_chunk *sub_callers, uint32_t origin_fid);
void merge_arcs_each(const merge_arcs *arcs, merge_arc_fn *take, void *context);

size_t merge_arcs_count(const merge_arcs *arcs);

#endif
