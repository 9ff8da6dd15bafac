/* Where memory was allocated, in one interpreter, and how much: the stack, the place and the kind. */
#pragma once

#include "base/slots.h"
#include "format/memory.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct prof_amount {
    double bytes, blocks; /* estimated: a sample stands for many */
    uint64_t samples;
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
    prof_amount live, peak, all; /* now, at the peak of the process, and ever */
    prof_amount end;             /* what was live when the program ended */
} prof_heap_site;

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
    bool has_end;       /* sites have their end */
    prof_values values; /* of the end */
    bool is_over;       /* perl destroys the interpreter */
    char *attributes;   /* lines of the header of FILE that the files of memory have, too; malloc()ed */
} prof_heap;

/* All functions are called with the lock (addresses.h). */

/* Returns the node of a call that the parent node has made. */
uint32_t prof_heap_child(prof_heap *heap, uint32_t parent, uint32_t arc);

/* Returns the number of a site, which is valid until prof_heap_clear(). */
uint32_t prof_heap_site_find(prof_heap *heap, uint32_t node, uint32_t kind, prof_heap_place place);

/* Forgets all sites, and ends the recording. */
void prof_heap_clear(prof_heap *heap);

/* Frees what heap points to. */
void prof_heap_free(prof_heap *heap);
