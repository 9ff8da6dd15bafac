/* The graph of another profile, from which a graph's colours and texts say what changed: --diff. */
#pragma once

#include "graph.h"

/* Gives the nodes and edges of g the times that they have in old, in the ticks of g. Subs are the same as for
 * nytp-diff (compare/match.h). If both profiles are made of samples, times of old are scaled to the total of
 * g, since recordings begin and end anywhere. old can be freed afterwards. */
void dot_compare(dot_graph *g, const dot_graph *old);
