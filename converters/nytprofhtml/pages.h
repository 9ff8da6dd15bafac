/* The page, where it goes, and what is removed from there. */
#pragma once

#include "options.h"
#include "report.h"

#include <stdbool.h>

void html_page_write(const html_report *report, const html_options *options, FILE *out);

/* The files in page/, joined by make: the script without its end, what it has besides for memory over time,
 * and its end; the SHA-256, in base64, of the script without memory over time and with it; the style. */
extern const char html_page_script[];
extern const char html_page_memory_script[];
extern const char html_page_script_end[];
extern const char html_page_hash[];
extern const char html_page_memory_hash[];
extern const char html_page_style[];

typedef struct html_clearing html_clearing;

/* Finds what nytprofhtml or stock's nytprofhtml wrote to the directory of path, an index.html; nothing if
 * path has another name. Returns NULL, after saying why, if the directory has a file that is not from them.
 */
html_clearing *html_clearing_new(const char *path);
void html_clearing_free(html_clearing *clearing); /* NULL is fine */

/* Removes what was found, but not path, which the new report has replaced. Returns false after saying what
 * could not be removed. */
bool html_clearing_do(const html_clearing *clearing);

/* Returns the path to write to for the value of -o: "-" for that, X.html for X.html and for an existing file,
 * else DIR/index.html, where DIR is created if need be (nytp_newdir_make()). NULL after saying why. g_free()
 * both.
 */
char *html_place_of(const char *output, char **made);

/* Shows the file in $BROWSER or in the system's browser; over ssh, without $BROWSER, prints how to fetch it.
 */
void html_place_open(const char *path);
