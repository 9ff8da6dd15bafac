/* The calls of the graph: one for each arc of the profile, one from each sub to each of its parts, and calls
 * from the root to functions that it would not reach otherwise. */
#pragma once

#include "graph.h"

/* Sets calls. Needs subs, and all parts that have costs. May add more parts. */
void cg_calls_find(cg_graph *g);
