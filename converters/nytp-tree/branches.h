/* The nodes of a tree in the order in which they are shown. */
#pragma once

#include "view.h"

/* A node, and its place among the nodes that are shown. */
typedef struct tree_branch {
    uint32_t node, depth;
    bool last; /* it is the last of its siblings */
} tree_branch;

/* Calls visit for every node that is shown: depth first, siblings sorted. */
typedef void tree_branch_fn(void *context, const tree_view *view, const tree_branch *b);
void tree_branches_visit(const tree_view *view, tree_branch_fn *visit, void *context);
