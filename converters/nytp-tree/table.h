/* One line per sub, in dprofpp's format. */
#pragma once

#include "subtimes.h"
#include "view.h"

/* Write errors stay with out. */
void tree_table_write(const tree_view *view, const tree_subtimes *times, FILE *out);
