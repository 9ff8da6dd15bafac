/* Who holds what of a process's memory, as walks over its values have said (heap_holders=1): nodes of a view
 * become ways from a variable to values, such as `my %h{key}[*]`. */
#pragma once

#include "memory/sums.h"
#include "model/records.h"

typedef struct nytp_held {
    GArray *holders, *holder_of; /* of the last walk, from number 1 on; uint32_t, by slot */
    GArray *taken_holders;       /* those of the moment that is asked for, */
    nytp_records taken;          /* and what they had of each site */
    bool is_whole;               /* there was a walk, and the last one had memory for all */
} nytp_held;

void nytp_held_init(nytp_held *held);
void nytp_held_clear(nytp_held *held);

/* A walk begins, and ends what the one before has said. */
void nytp_held_begin_walk(nytp_held *held, bool is_whole);

/* Adds the next holder. parent: what leads to it, 0: nothing; step: the number of a name. Returns false if
 * that makes no sense. */
bool nytp_held_add_holder(nytp_held *held, uint64_t parent, uint32_t step);

/* The sample of that slot is held by that holder; 0: by none, as when it is freed. */
void nytp_held_set(nytp_held *held, uint32_t slot, uint32_t by);

/* Holders of this moment count: slots has the samples (nytp_memory_sample). */
void nytp_held_take(nytp_held *held, const GArray *slots);

/* Replaces nodes by ways to values, whose names it adds, and returns sites of what was allocated at a place
 * and is held by one of them, in place of those that it is given. */
GArray *nytp_held_show(const nytp_held *held, const GArray *sites, GArray *nodes, GArray *names,
                       GStringChunk *texts);
