/* Makes the graph of a profile. */
#ifndef CG_BUILD_H
#define CG_BUILD_H

#include "graph.h"

/* Returns the graph of a profile, which must live as long. The caller must cg_graph_free() it. */
cg_graph *cg_build(const nytp_profile *profile);

#endif
