/* The subs of the graph: the place, time and function of each. */
#pragma once

#include "graph.h"
#include "model/line_map.h"

/* Sets root, subs, and the functions of called subs and the root. */
void cg_subs_find(cg_graph *g);

/* Returns the lines of all called perl subs; where several have the same, they are those of the sub that took
 * the most time. Needs subs. */
nytp_line_map *cg_subs_lines(const cg_graph *g);
