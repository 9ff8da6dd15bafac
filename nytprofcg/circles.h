/* Circles: the strongly connected sets of functions, those that call each
 * other round. A function that calls no one who calls it is one by itself. */
#ifndef CIRCLES_H
#define CIRCLES_H

#include "graph.h"

typedef struct circles {
    uint32_t count;
    uint32_t *of_node; /* callees' circles have lower numbers than their callers' */
} circles;

void circles_find(circles *c, const graph *g); /* whose calls are sorted */
void circles_clear(circles *c);

#endif
