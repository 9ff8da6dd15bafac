/* Inclusive times of calls that agree with the exclusive times of functions. */
#ifndef CG_FLOW_H
#define CG_FLOW_H

#include "graph.h"

/* Sets incl_ticks of all calls: what leads into a cycle is what the cycle spends. Needs calls and costs. */
void cg_flow_balance(cg_graph *g);

#endif
