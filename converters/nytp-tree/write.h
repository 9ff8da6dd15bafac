/* Writes the calls in the form that the options choose. */
#pragma once

#include "calls.h"
#include "cli/options.h"

/* Writes the output. May be called once. On failure returns false, and sets *why to a message that the caller
 * must g_free(). Write errors stay with out. */
bool tree_write(tree_calls *c, FILE *out, char **why);
