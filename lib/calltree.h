/* What a call tree is made of, for programs that shape it anew. */
#ifndef NYTP_CALLTREE_H
#define NYTP_CALLTREE_H

#include "names.h"
#include "nytprof.h"
#include "stacktree.h"

/* Ends the stack and settles: inclusive times are there, and no index of a family. Both belong to the tree.
 */
nytp_stacktree *nytp_calltree_stacks(nytp_calltree *tree);
nytp_names *nytp_calltree_names(nytp_calltree *tree); /* of nodes' subs, as shown */

/* The number that a raw name is shown under. */
uint32_t nytp_calltree_sub(nytp_calltree *tree, const nytp_str *raw);

/* As nytp_calltree_add() of a SUB_RETURN of that sub. */
void nytp_calltree_add_return(nytp_calltree *tree, uint32_t sub, uint32_t depth, double excl_ticks);

#endif
