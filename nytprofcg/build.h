/* Makes the graph of a profile. */
#ifndef CG_BUILD_H
#define CG_BUILD_H

#include "graph.h"

/* The profile must live as long as the graph, which the caller must cg_graph_free(). */
cg_graph *cg_build(const nytp_profile *profile);

#endif
