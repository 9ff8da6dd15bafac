/* Circles: sets of functions that call one another round (strongly connected
 * components). A function that is in no such set is a circle by itself. */
#ifndef CIRCLES_H
#define CIRCLES_H

#include "graph.h"

typedef struct circles {
    uint32_t count;
    uint32_t *of_node; /* a circle that is called by another one has the lower number */
} circles;

void circles_find(circles *c, const graph *g); /* the calls of g must be sorted */
void circles_clear(circles *c);

#endif
