/* The tree of stacks as text, one line per stack. */
#pragma once

#include "view.h"

/* Write errors stay with out. */
void tree_merged_write(const tree_view *view, FILE *out);
