/* The tree of stacks as JSON. */
#ifndef TREE_JSON_H
#define TREE_JSON_H

#include "view.h"

/* Write errors stay with out. */
void tree_json_write(const tree_view *view, FILE *out);

#endif
