/* The pages of one run: its time, and its memory, if it was recorded with heap=1; where they go, and what is
 * removed from there. */
#pragma once

#include "options.h"
#include "report.h"

#include <stdbool.h>

/* How the head of a page says that it has links to other pages of a run. */
#define HTML_LINKED_MARK "<meta name=\"nytprofhtml\" content=\"one of several pages\">"

/* links: those to other pages, as HTML, or NULL. */
void html_page_write(const html_report *report, const html_options *options, const char *links, FILE *out);

/* The script and the style: the files in page/, joined by make. */
extern const char html_page_script[];
extern const char html_page_style[];

enum html_part { HTML_TIME, HTML_PEAK, HTML_LIVE, HTML_ALLOC, HTML_HELD, HTML_PARTS };

typedef struct html_page {
    html_report *report; /* NULL: the run has no such page */
} html_page;

typedef struct html_pages {
    html_page of[HTML_PARTS];
} html_pages;

/* Returns whether the profiles of time have samples of memory. */
bool html_pages_are_there(const html_report *time);

/* Reads the pages of memory, beside that of time. */
void html_pages_read(html_pages *pages, const html_options *options, const nytp_common_options *common);

/* Writes all pages into the directory, together or not at all. Returns 0, or -1 after saying why not. */
int html_pages_write(const html_pages *pages, const html_options *options, const char *directory);

/* Removes the pages of memory of an older report, which were linked with the index.html that is another now.
 * Returns 0, or -1 after saying why not. */
int html_pages_remove_old(const html_pages *pages, const char *directory);

/* Frees all reports. */
void html_pages_clear(html_pages *pages);

/* Returns the name of the file of a page, such as "live.html". */
const char *html_page_name(enum html_part part);

typedef struct html_clearing html_clearing;

/* Finds what nytprofhtml or stock's nytprofhtml wrote to the directory of path, an index.html; nothing if
 * path has another name. Returns NULL, after saying why, if the directory has a file that is not from them.
 */
html_clearing *html_clearing_new(const char *path);
void html_clearing_free(html_clearing *clearing); /* NULL is fine */

/* Removes what was found, but not what the new report has replaced: path, and its pages. Returns false after
 * saying what could not be removed. */
bool html_clearing_do(html_clearing *clearing, const html_pages *pages);

/* Returns the path to write to for the value of -o: "-" for that, X.html for X.html and for an existing file,
 * else DIR/index.html, where DIR is created if need be (nytp_newdir_make()). NULL after saying why. g_free()
 * both.
 */
char *html_place_of(const char *output, char **made);

/* Shows the file in $BROWSER or in the system's browser; over ssh, without $BROWSER, prints how to fetch it.
 */
void html_place_open(const char *path);
