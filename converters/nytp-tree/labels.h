/* --labels: the table has labels in the place of subs. */
#pragma once

#include "calls.h"

/* Returns whether there are labels of the kind that was asked for. */
bool tree_labels_any(const tree_calls *c);

/* Fills the times of the table from the tree, and returns the names of its rows, which belong to c. */
const nytp_names *tree_labels_take(tree_calls *c);
