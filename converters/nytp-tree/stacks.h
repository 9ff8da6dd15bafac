/* Making other trees of a tree of stacks. */
#pragma once

#include "calls/stacktree.h"

#include <stdbool.h>

/* Adds the samples below each node to its own. */
void tree_stacks_sum_samples(nytp_stacktree *tree);

/* Reduces the tree to the calls of sub, with all calls below them. Returns false if there are none. */
bool tree_stacks_root_at(nytp_stacktree *tree, uint32_t sub);

/* Adds to `callers` a tree whose root is sub and in which the children of a node are its callers. Counts and
 * times are those of the calls of sub through that path. The time of a recursive call counts for its own
 * path, and not for that of the outer call. counts_samples: calls are inclusive, too. */
void tree_stacks_of_callers(const nytp_stacktree *tree, uint32_t sub, uint32_t max_depth, bool counts_samples,
                            nytp_stacktree *callers);
