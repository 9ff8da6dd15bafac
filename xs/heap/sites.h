/* Where memory was allocated, in one interpreter: the stack, the place and the kind. Each is declared once in
 * the stream (stream.h), and has a number there. */
#pragma once

#include "prof.h"

#include "basics/alloc.h"

#include <stdbool.h>
#include <stdint.h>

/* Stacks are a tree. Node 0 is the root. */
typedef struct prof_heap_node {
    uint32_t parent;
    uint32_t arc;    /* the index of the call in the context's arcs (record/arcs.h), or PROF_HEAP_... */
    uint32_t number; /* in the stream */
} prof_heap_node;

/* What stands in place of calls. */
#define PROF_HEAP_ROOT    UINT32_MAX
#define PROF_HEAP_OUTSIDE (UINT32_MAX - 1) /* no interpreter, or one without a context, has allocated */
#define PROF_HEAP_DEEPER  (UINT32_MAX - 2) /* the stack was deeper */

/* file 0: the place is not known. Otherwise its number in the stream. */
typedef struct prof_heap_place {
    uint32_t file, line;
} prof_heap_place;

typedef struct prof_heap_site {
    uint32_t node, kind;
    prof_heap_place place;
    uint32_t number; /* in the stream, from 1 on */
} prof_heap_site;

/* Of a context. */
typedef struct prof_heap {
    prof_entries nodes, sites; /* prof_heap_node, prof_heap_site */
} prof_heap;

/* The functions below are called with the lock (addresses.h), while there is a stream. */

/* Returns the node of a call that the parent node of the context has made. */
uint32_t prof_heap_child(prof *p, uint32_t parent, uint32_t arc);

/* Returns the number in the stream of a site of the context. */
uint32_t prof_heap_site_find(prof *p, uint32_t node, uint32_t kind, prof_heap_place place);

/* Forgets all sites. */
void prof_heap_clear(prof_heap *heap);

/* Frees what heap points to. */
void prof_heap_free(prof_heap *heap);
