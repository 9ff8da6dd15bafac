/* Names of functions. gprof2dot knows a function by its name alone, so each is unique. */
#pragma once

#include "graph.h"

/* Sets the names of all functions. */
void cg_function_names_make(cg_graph *g);
