/* Columns of the table that say how long calls took, one by one: --columns. */
#pragma once

#include "calls/calltree.h"
#include "calls/durations.h"
#include "options.h"

#include <glib.h>

/* Parses the words of --columns, which commas part. Returns NULL, or what is wrong with them, to be passed to
 * free(). */
char *tree_columns_parse(tree_columns *columns, const char *words);

/* Returns how long calls took, in an array of nytp_distribution by the number of the shown name, which the
 * caller must free by g_array_unref(). durations has the tree's calls, by their raw names. */
GArray *tree_columns_of_shown(nytp_calltree *tree, const nytp_durations *durations);
