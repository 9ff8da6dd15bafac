/* A report as one HTML file. */
#pragma once

#include "options.h"
#include "report.h"

/* How the head of a page says that it has links to other pages of a run. */
#define HTML_LINKED_MARK "<meta name=\"nytprofhtml\" content=\"one of several pages\">"

/* links: those to other pages, as HTML, or NULL. */
void html_page_write(const html_report *report, const html_options *options, const char *links, FILE *out);

/* The script and the style: the files in page/, joined by make. */
extern const char html_page_script[];
extern const char html_page_style[];
