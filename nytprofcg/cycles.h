/* Strongly connected components of the call graph: sets of functions that call each other, directly or not.
 * A function without recursion is a component of its own. Callgrind calls them cycles. */
#pragma once

#include "graph.h"

typedef struct cg_cycles {
    uint32_t count;
    uint32_t *of_function; /* number of its cycle; a called cycle has a lower number than its callers */
} cg_cycles;

/* Finds the cycles. The calls of the graph must be sorted. */
void cg_cycles_find(cg_cycles *cycles, const cg_graph *g);
void cg_cycles_clear(cg_cycles *cycles);
