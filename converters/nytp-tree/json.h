/* The tree of stacks as JSON. */
#ifndef TREE_JSON_H
#define TREE_JSON_H

#include "view.h"

void tree_json_write(const tree_view *view, FILE *out);

#endif
