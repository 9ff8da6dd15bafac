/* Subs and the arcs between them. */
#pragma once

#include "nytprof-model.h"

#include "model/names.h"
#include "model/records.h"

/* Returns how many of an arc's blocks are in its inclusive bytes, which are those of outermost calls. An arc
 * of a profile of memory counts each block for every call on the stack, also those of a sub that calls
 * itself. If an arc has both, the blocks are divided as the bytes are. */
uint64_t nytp_arc_outermost_blocks(const nytp_arc *arc);

/* Returns an nytp_arc for each number of a sub, with the sums of all arcs to it; of memory, blocks are
 * those of outermost calls. The caller frees it with
 * g_free(). */
nytp_arc *nytp_sums_by_callee(const nytp_profile *profile);

/* Returns the numbers in the profile of subs by those of their names, UINT32_MAX where it does not have them.
 * One more, the last, is that of main::RUNTIME. The caller frees it with g_free(). */
uint32_t *nytp_subs_of_names(const nytp_profile *profile, const nytp_names *names);

/* nytp_subs_get() shows the members of an entry, and nytp_subs_copy() copies them. */
typedef struct nytp_sub_entry {
    uint32_t range_count;
    bool is_xsub;   /* an xsub or a built-in */
    bool is_sorted; /* the ranges are in order, not only those of each run (see nytp_subs_add_range()) */
    union {
        nytp_range one;   /* if range_count is 0 or 1 */
        nytp_range *many; /* if it is more; the capacity is the next power of two */
    } ranges;
} nytp_sub_entry;

typedef struct nytp_subs {
    nytp_names *names; /* a sub's number is that of its name */
    GArray *entries;   /* nytp_sub_entry */
    nytp_records arcs; /* nytp_arc, each of a caller, callee and place */
} nytp_subs;

void nytp_subs_init(nytp_subs *subs);
void nytp_subs_clear(nytp_subs *subs);

/* Returns the number of the sub with that name, which is added if it is new. */
uint32_t nytp_subs_number(nytp_subs *subs, nytp_str name);

/* Marks the sub as an xsub or a built-in. */
void nytp_subs_mark_xsub(nytp_subs *subs, uint32_t number);

/* Returns whether the sub had no such range before. */
bool nytp_subs_add_range(nytp_subs *subs, uint32_t number, nytp_range range);

/* Returns the sub with that number, its ranges sorted. Valid until a range or a sub is added. */
nytp_sub nytp_subs_get(const nytp_subs *subs, uint32_t number);

/* Adds to the sub of that name in `to`, which is added if it is new, what the entry of another one says, but
 * for the ranges: fids may differ. Returns its number. */
uint32_t nytp_subs_copy(nytp_subs *to, nytp_str name, const nytp_subs *from, uint32_t number);

/* Adds the sums of an nytp_arc to those of another one. */
void nytp_arc_add(void *into, const void *record);

/* Adds the sums of an arc. */
void nytp_subs_add_arc(nytp_subs *subs, const nytp_arc *arc);

/* Like nytp_records_change(); change may set caller, callee, fid and line of an nytp_arc. */
void nytp_subs_change_arcs(nytp_subs *subs, nytp_record_change_fn *change, void *context);
