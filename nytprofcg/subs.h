/* The subs of the graph: the place, time and function of each. */
#ifndef CG_SUBS_H
#define CG_SUBS_H

#include "graph.h"

/* Sets root, subs, and the functions of called subs and the root. */
void cg_subs_find(cg_graph *g);

#endif
