/* What each function spent at each line. */
#pragma once

#include "graph.h"

/* Sets costs, and self_ticks of the functions. Needs subs and scope_sub. Adds parts. */
void cg_costs_find(cg_graph *g);
