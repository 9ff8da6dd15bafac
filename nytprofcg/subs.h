/* The subs of the graph: where each is, what it took, and its function. */
#ifndef CG_SUBS_H
#define CG_SUBS_H

#include "graph.h"

/* Sets root, subs, and the functions of called subs and the root. */
void cg_subs_find(cg_graph *g);

#endif
