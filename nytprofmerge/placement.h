/* Puts the statements, arcs and source lines of an input into the files in which the merged profile shows
 * them.
 *
 * For an eval that is not the first of its place, that depends on all subs of the input (merge/fid_map.h).
 * When the first chunk of such an eval comes, the input is read ahead for its subs alone: a statement that
 * waited for them would have its time after the calls and marks that follow it.
 */
#pragma once

#include "state.h"

/* Returns the file with that fid, which is one of the chunk's. Returns NULL for fid 0, and, after reporting
 * an error, for a fid that has no NEW_FID. */
const nytp_mapped_file *merge_named_file(merge_state *m, const nytp_chunk *chunk, uint32_t fid);

/* Adds a NEW_FID. Returns false after reporting an error if its fid had another name. */
bool merge_add_file(merge_state *m, const nytp_chunk *chunk);

/* Put a statement, an arc or a source line in its file. */
void merge_place_time(merge_state *m, const nytp_chunk *chunk);
void merge_place_sub_callers(merge_state *m, const nytp_chunk *chunk);
void merge_place_src_line(merge_state *m, const nytp_chunk *chunk);

/* Adds a SUB_INFO, and an annotation that names more evals that define a sub. */
void merge_place_sub_info(merge_state *m, const nytp_chunk *chunk);
void merge_place_later_definers(merge_state *m, nytp_str text);

/* Finds out where the subs of the input are shown. Call it when all of them were added. */
void merge_place_subs(merge_state *m);

/* Reads the current profile, which was cut, again with its calls, and adds the arcs that it lacks: those of
 * the last calls, which it has not summed up. */
void merge_add_missing_arcs(merge_state *m);
