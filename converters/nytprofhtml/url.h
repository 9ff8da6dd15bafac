/* Templates of links into an editor or a forge. The page fills them in. */
#ifndef HTML_URL_H
#define HTML_URL_H

/* Returns a description of what is wrong with the template, which the caller must free(), or NULL if nothing
 * is. */
char *html_url_complaint(const char *template);

#endif
