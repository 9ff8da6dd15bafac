/* What each function spent at each line. */
#ifndef CG_COSTS_H
#define CG_COSTS_H

#include "graph.h"

/* Sets costs, and self_ticks of the functions. Needs subs and scope_sub. Adds parts. */
void cg_costs_find(cg_graph *g);

#endif
