/* The tree of stacks as text, one line per stack. */
#ifndef TREE_MERGED_H
#define TREE_MERGED_H

#include "view.h"

/* Write errors stay with out. */
void tree_merged_write(const tree_view *view, FILE *out);

#endif
