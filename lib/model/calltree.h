/* What a call tree is made of, for programs that shape it anew. */
#ifndef NYTP_CALLTREE_H
#define NYTP_CALLTREE_H

#include "model/names.h"
#include "model/stacktree.h"

/* Ends the stack and settles the tree: its nodes have inclusive times, and their children no index. It
 * belongs to the call tree. */
nytp_stacktree *nytp_calltree_stacks(nytp_calltree *tree);

/* The shown names of subs, by their numbers in nodes. They belong to the call tree. */
nytp_names *nytp_calltree_names(nytp_calltree *tree);

/* The number of the shown name of a sub, from its raw one. */
uint32_t nytp_calltree_sub(nytp_calltree *tree, const nytp_str *raw);

/* As nytp_calltree_add() of a SUB_RETURN of that sub. */
void nytp_calltree_add_return(nytp_calltree *tree, uint32_t sub, uint32_t depth, double excl_ticks);

#endif
