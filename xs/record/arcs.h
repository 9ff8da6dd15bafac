/* Arcs: sums of calls by caller, called sub, and the file and line of the call. */
#pragma once

#include "prof.h"

#include "base/slots.h"
#include "nytprof.h"

/* The sums are those since the arc was last written. */
typedef struct prof_arc {
    uint32_t caller, callee, fid, line;
    uint32_t max_depth;
    uint64_t count; /* 64 bits, for hours of many million calls a second */
    int64_t incl_ticks, excl_ticks, reci_ticks;
    int64_t incl_values, excl_values; /* that its calls left behind; below 0: they freed more */
} prof_arc;

typedef struct prof_arcs {
    prof_arc *at;
    uint32_t count, cap;
    nytp_slots slots; /* find the indexes of arcs */
} prof_arcs;

void prof_arcs_free(prof_arcs *arcs);

/* Returns the index of an arc, which is valid as long as the context. */
uint32_t prof_arc_find(prof_arcs *arcs, uint32_t caller, uint32_t callee, uint32_t fid, uint32_t line);

/* Adds a call. recursion: calls of the same sub around it. count: 1; 0 for a part of a call that goes on.
 * Only the outermost call of a recursion adds to the inclusive time: its own contains that of the others. */
static inline void prof_arc_add(prof_arcs *arcs, uint32_t index, uint32_t recursion, uint64_t count,
                                int64_t incl_ticks, int64_t excl_ticks)
{
    prof_arc *a = &arcs->at[index];
    a->count += count;
    a->excl_ticks += excl_ticks;
    if (LIKELY(recursion == 0)) {
        a->incl_ticks += incl_ticks;
        return;
    }
    a->reci_ticks += incl_ticks;
    if (a->max_depth < recursion)
        a->max_depth = recursion;
}

/* Adds the values that a call left behind, with and without those of the calls that it made. */
static inline void prof_arc_add_kept(prof_arcs *arcs, uint32_t index, uint32_t recursion, int64_t incl_values,
                                     int64_t excl_values)
{
    prof_arc *a = &arcs->at[index];
    a->excl_values += excl_values;
    if (LIKELY(recursion == 0))
        a->incl_values += incl_values;
}

/* Writes SUB_CALLERS for the calls that were added since the last time. Readers add up arcs, so it may be
 * called at any time. */
void prof_arcs_write(prof *p);

/* Sets all sums to zero. The arcs stay, because frames of calls that have not returned have their indexes. */
void prof_arcs_forget(prof_arcs *arcs);
