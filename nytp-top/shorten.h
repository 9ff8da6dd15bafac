/* Texts that are too long for a terminal. */
#pragma once

#include <stddef.h>

/* Returns a text that takes at most so many columns: "..." and its end, if it is longer. The end has the name
 * of a sub, or a line. The caller must g_free() it. */
char *top_shorten(const char *text, size_t columns);

/* The same for "CALL  PLACE", of which both are shortened as they need it. */
char *top_shorten_call(const char *text, size_t columns);
