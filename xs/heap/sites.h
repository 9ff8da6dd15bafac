/* Where memory was allocated, in one interpreter, and how much: the stack, the place and the kind. */
#pragma once

#include "base/calibrate.h"
#include "base/slots.h"
#include "format/memory.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct prof_amount {
    double bytes, blocks; /* estimated: a sample stands for many */
    double variance;      /* of bytes */
    int64_t samples;
} prof_amount;

/* Stacks are a tree. The number of a node is more than that of its parent; node 0 is the root. */
typedef struct prof_heap_node {
    uint32_t parent;
    uint32_t arc; /* the index of the call in the context's arcs (record/arcs.h), or PROF_HEAP_... */
} prof_heap_node;

/* What stands in place of calls. */
#define PROF_HEAP_ROOT    UINT32_MAX
#define PROF_HEAP_OUTSIDE (UINT32_MAX - 1) /* no interpreter, or one without a context, has allocated */
#define PROF_HEAP_DEEPER  (UINT32_MAX - 2) /* the stack was deeper */

/* file 0: the place is not known. Otherwise the number + 1 of the name in the table of samples.h. */
typedef struct prof_heap_place {
    uint32_t file, line;
} prof_heap_place;

typedef struct prof_heap_site {
    uint32_t node, kind;
    prof_heap_place place;
    prof_amount live, all; /* now, and ever */
    prof_amount end;       /* what was live when the program ended */
    prof_amount peak;      /* what was live at the peak with that number; at a later one, that of now */
    uint32_t peak_number;
} prof_heap_site;

typedef enum prof_heap_part {
    PROF_HEAP_PEAK,
    PROF_HEAP_LIVE,
    PROF_HEAP_ALLOC,
    PROF_HEAP_END, /* what was live when the program ended */
    PROF_HEAP_PARTS
} prof_heap_part;

/* How many values perl has, by type (format/memory.h). */
typedef struct prof_values {
    uint64_t count[NYTP_VALUE_TYPE_COUNT]; /* all 0: not known */
} prof_values;

/* Of a context. */
typedef struct prof_heap {
    uint32_t recording; /* its number in the process; 0: none has begun */
    prof_heap_node *nodes;
    uint32_t node_count, node_cap; /* the root counts */
    nytp_slots node_slots;
    prof_heap_site *sites;
    uint32_t site_count, site_cap;
    nytp_slots site_slots;
    nytp_calibration calibration[PROF_HEAP_PARTS]; /* of END, if has_end; of all parts in a copy */
    bool has_end;                                  /* sites have their end */
    prof_values values; /* of the end */
    bool is_over;       /* perl destroys the interpreter */
    char *attributes;   /* lines of the header of FILE that the files of memory have, too; malloc()ed */
} prof_heap;

/* Returns what a site has of a part. peak_number: that of the last peak. */
static inline const prof_amount *prof_heap_amount(const prof_heap_site *site, prof_heap_part part,
                                                  uint32_t peak_number)
{
    switch (part) {
    case PROF_HEAP_PEAK: return site->peak_number == peak_number ? &site->peak : &site->live;
    case PROF_HEAP_ALLOC: return &site->all;
    case PROF_HEAP_END: return &site->end;
    default: return &site->live;
    }
}

/* The functions below are called with the lock (addresses.h). */

/* Returns the node of a call that the parent node has made. */
uint32_t prof_heap_child(prof_heap *heap, uint32_t parent, uint32_t arc);

/* Returns the number of a site, which is valid until prof_heap_clear(). */
uint32_t prof_heap_site_find(prof_heap *heap, uint32_t node, uint32_t kind, prof_heap_place place);

/* Forgets all sites, and ends the recording. */
void prof_heap_clear(prof_heap *heap);

/* Frees what heap points to. */
void prof_heap_free(prof_heap *heap);

/* What the sites of all contexts have together, and when that is most. */

/* Has the samples that no recording has: it has ended, or there was none. */
extern prof_heap_site prof_sums_elsewhere __attribute__((visibility("hidden")));

/* sign: 1 or -1. */
void prof_sums_add(prof_amount *sum, const prof_amount *more, int sign);

/* Call it before what is live at a site changes: as long as it does not, its peak need not be stored. */
void prof_sums_store_peak(prof_heap_site *site);

/* Has the next sample be at the peak. */
void prof_sums_begin_peak(void);

/* This moment is the peak, if it has more than those before. */
void prof_sums_note_peak(void);

/* Ends a recording. */
void prof_sums_forget(prof_heap *heap);

/* Returns what all estimates of a part have together, and what was counted. */
nytp_calibration prof_sums_calibration(prof_heap_part part);

/* Returns how many bytes all contexts had at the peak, of which that is the calibration. */
double prof_sums_peak(const nytp_calibration *all);
