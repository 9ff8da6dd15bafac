/* Which sub runs the code of a file that is in no called sub: its file scope. */
#ifndef CG_SCOPES_H
#define CG_SCOPES_H

#include "graph.h"

/* Sets scope_sub. Needs subs. */
void cg_scopes_find(cg_graph *g);

#endif
