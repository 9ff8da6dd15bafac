/* Inclusive times of calls that agree with the exclusive times of functions. */
#pragma once

#include "graph.h"

/* Sets incl_ticks of all calls, so that the calls into a cycle have the time that it spends. Needs calls and
 * costs. */
void cg_flow_balance(cg_graph *g);
