/* The pages of one run: its time, and the memory that files beside FILE have, as NYTPROF=heap=1 writes them.
 */
#pragma once

#include "options.h"
#include "report.h"

enum html_part { HTML_TIME, HTML_PEAK, HTML_LIVE, HTML_ALLOC, HTML_PARTS };

typedef struct html_page {
    html_report *report; /* NULL: the run has no such page */
    GPtrArray *inputs;   /* char *: the profiles of a page of memory; NULL for the page of time */
} html_page;

typedef struct html_pages {
    html_page of[HTML_PARTS];
} html_pages;

/* Returns whether the profiles of time name files of memory, and these are there. */
bool html_pages_are_there(const html_report *time, const html_options *options);

/* Reads the files of memory that belong to the processes of the report. Those that cannot be read, or are of
 * another run, are left out after saying why. */
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
