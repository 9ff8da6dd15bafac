/* The file scope of a file is its code outside of called subs. This module finds the sub that ran it. */
#pragma once

#include "graph.h"

/* Sets scope_sub. Needs subs. */
void cg_scopes_find(cg_graph *g);
