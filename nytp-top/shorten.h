/* Texts that are too long for a terminal. */
#pragma once

#include <stddef.h>

/* Returns the text if it takes at most that many columns, else "..." and its end, where the name of a sub or
 * the number of a line is. The caller must g_free() it. */
char *top_shorten(const char *text, size_t columns);

/* The same for "CALL  PLACE": CALL keeps its end, too, and each of them has at least half of the columns if
 * it needs them. */
char *top_shorten_call(const char *text, size_t columns);
