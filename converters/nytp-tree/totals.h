/* Times of the whole profile: which time is 100 %, and how long the program ran. */
#ifndef TREE_TOTALS_H
#define TREE_TOTALS_H

#include "calls.h"
#include "view.h"

/* Sets ticks_per_s, total_ticks, elapsed_s, clock and rounds_first of the view. */
void tree_totals_set(const tree_calls *c, tree_view *view);

#endif
