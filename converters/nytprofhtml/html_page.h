/* A report as one HTML file. */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include "html_options.h"
#include "html_report.h"

void html_page_write(const html_report *report, const html_options *options, FILE *out);

/* The script and the style: the files in page/, joined by make. */
extern const char html_page_script[];
extern const char html_page_style[];

#endif
