/* URLs without what is private. Knows nothing of perl. */
#pragma once

#include <stddef.h>

/* Writes the host and the path of a URL to `to`, which has as many bytes as are read, at most
 * PROF_LABEL_RAW_MAX: without scheme, user, query and fragment, and with "*" for each segment of the path
 * that may be a number, a key or a text: 42, 0af3-09bc, a@b, x%20y, and whatever has more than 40 bytes.
 * Returns the length. */
size_t prof_url_normalise(const char *url, size_t length, char *to);
