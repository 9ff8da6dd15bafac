/* Makes the graph of a profile. */
#pragma once

#include "graph.h"

/* Returns the graph of a profile, which must live as long. The caller must cg_graph_free() it. */
cg_graph *cg_build(const nytp_profile *profile);
