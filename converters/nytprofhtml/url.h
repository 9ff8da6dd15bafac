/* Templates of links into an editor or a forge. The page fills them in. */
#pragma once

/* Returns a description of what is wrong with the template, which the caller must free(), or NULL if nothing
 * is. */
char *html_url_complaint(const char *template);
