/* Several profiles as one: where their subs are shown. Decides which lines of string evals move to the first
 * eval of their place, as fid_map.h explains. */
#pragma once

#include "merge/fid_map.h"
#include "model/names.h"

typedef struct nytp_sub_map nytp_sub_map;

nytp_sub_map *nytp_sub_map_new(nytp_names *names); /* names stays the caller's */
void nytp_sub_map_free(nytp_sub_map *map);         /* NULL is fine */

/* Adds a SUB_INFO of the current input. definers: if the input was merged before, the fids (of the input) of
 * the evals that define the sub; none if that is the chunk's fid alone. */
void nytp_sub_map_add(nytp_sub_map *map, const nytp_chunk *sub_info, const uint32_t *definers, size_t count);

/* Call it when all SUB_INFOs of the input were added. Moves lines in fids, and ends the moves. Leaves out
 * subs in files that the input has not named. */
void nytp_sub_map_end_input(nytp_sub_map *map, nytp_fid_map *fids);

/* Forgets the SUB_INFOs that were added since the last nytp_sub_map_end_input(). */
void nytp_sub_map_drop_input(nytp_sub_map *map);

/* Returns how many ranges of subs the merged profile has. Their numbers count from 0, by first sight. */
uint32_t nytp_sub_map_count(const nytp_sub_map *map);

/* Calls each for the ranges of subs from number first on. definers: the fids of the evals that define the sub
 * there; none if that is the chunk's fid alone. */
typedef void nytp_sub_map_fn(void *context, const nytp_chunk *sub_info, const uint32_t *definers,
                             size_t count);
void nytp_sub_map_each(const nytp_sub_map *map, uint32_t first, nytp_sub_map_fn *each, void *context);
