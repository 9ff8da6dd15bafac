/* The arcs that a cut profile lacks: those of the last calls, which it has not summed up. */
#pragma once

#include "state.h"

/* Reads the current profile again, with its calls, and adds the arcs that are missing. */
void merge_add_missing_arcs(merge_state *m);
