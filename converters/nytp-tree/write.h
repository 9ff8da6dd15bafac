/* Writes what was read in the form that the options choose. */
#ifndef TREE_WRITE_H
#define TREE_WRITE_H

#include "calls.h"

/* To be called once. Returns false on failure; *why, to be freed with g_free(), says what was not found or
 * went wrong. Write errors stay with out. */
bool tree_write(tree_calls *c, FILE *out, char **why);

#endif
