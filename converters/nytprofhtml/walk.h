/* A walk through a tree of stacks, without recursion: stacks may be deep. */
#pragma once

#include "calls/stacktree.h"

/* Calls visit for all nodes, callers first. visit returns a value that it is given for the node's children;
 * those of the root get 0. */
typedef uint32_t html_stack_visit_fn(void *context, const nytp_node *node, uint32_t depth, uint32_t given);
void html_stacks_walk(const nytp_stacktree *tree, html_stack_visit_fn *visit, void *context);
