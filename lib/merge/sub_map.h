/* The subs of several profiles as those of one: SUB_INFOs are added, input by input, and put into the merged
 * profile once for each range of lines. By which evals define a sub, it is decided here which lines of string
 * evals move to the first eval of their place, as fid_map.h explains. */
#pragma once

#include "merge/fid_map.h"
#include "model/names.h"

typedef struct nytp_sub_map nytp_sub_map;

nytp_sub_map *nytp_sub_map_new(nytp_names *names); /* names stays the caller's */
void nytp_sub_map_free(nytp_sub_map *map);         /* NULL is fine */

/* Adds a SUB_INFO of the current input, and moves lines in fids if it is shown in the first eval of its
 * place. definers: if the input was merged before, the fids (of the input) of the evals that define the sub;
 * none if that is the chunk's fid alone. Leaves out subs in files that the input has not named. Call
 * nytp_fid_map_end_moves() when all of them were added. */
void nytp_sub_map_add(nytp_sub_map *map, nytp_fid_map *fids, const nytp_chunk *sub_info,
                      const uint32_t *definers, size_t count);

/* Adds definers, one at least, of the SUB_INFO that was added as that one of the current input, from 0 on. */
void nytp_sub_map_add_definers(nytp_sub_map *map, nytp_fid_map *fids, uint32_t added,
                               const uint32_t *definers, size_t count);

/* Forgets which SUB_INFOs were added: the next ones are of another input. */
void nytp_sub_map_begin_input(nytp_sub_map *map);

/* Returns how many times SUB_INFOs or definers were added for the current input. */
uint32_t nytp_sub_map_added(const nytp_sub_map *map);

/* Returns the numbers of the ranges in which the sub of that addition is shown, of which there are *count.
 * Valid until the next addition. */
const uint32_t *nytp_sub_map_ranges_of(const nytp_sub_map *map, uint32_t added, size_t *count);

/* Returns how many ranges of subs the merged profile has. Their numbers count from 0, by first sight. */
uint32_t nytp_sub_map_count(const nytp_sub_map *map);

/* Returns the name of the sub of a range, as a number, and whether it has lines: it is no xsub. */
uint32_t nytp_sub_map_name(const nytp_sub_map *map, uint32_t range);
bool nytp_sub_map_is_perl(const nytp_sub_map *map, uint32_t range);

/* Calls put for a range. definers: the fids of the evals that are known to define the sub there; none if that
 * is the chunk's fid alone. */
typedef void nytp_sub_map_fn(void *context, const nytp_chunk *sub_info, const uint32_t *definers,
                             size_t count);
void nytp_sub_map_put(nytp_sub_map *map, uint32_t range, nytp_sub_map_fn *put, void *context);

/* Returns whether a range was put. */
bool nytp_sub_map_was_put(const nytp_sub_map *map, uint32_t range);

/* Puts the ranges that were not. Then calls put_later for those that were before all their definers were
 * known, with the others. put_number: how many ranges had been put with this one. */
typedef void nytp_sub_map_later_fn(void *context, uint32_t put_number, const uint32_t *definers,
                                   size_t count);
void nytp_sub_map_put_rest(nytp_sub_map *map, nytp_sub_map_fn *put, nytp_sub_map_later_fn *put_later,
                           void *context);
