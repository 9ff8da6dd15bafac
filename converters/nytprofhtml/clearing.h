/* Removes an older report from its directory (-d). */
#pragma once

#include "pages.h"

#include <stdbool.h>

typedef struct html_clearing html_clearing;

/* Finds what nytprofhtml or stock's nytprofhtml wrote to the directory of path, an index.html; nothing if
 * path has another name. Returns NULL, after saying why, if the directory has a file that is not from them.
 */
html_clearing *html_clearing_new(const char *path);
void html_clearing_free(html_clearing *clearing); /* NULL is fine */

/* Removes what was found, but not what the new report has replaced: path, and its pages. Returns false after
 * saying what could not be removed. */
bool html_clearing_do(html_clearing *clearing, const html_pages *pages);
