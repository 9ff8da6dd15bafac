/* The overview: static HTML, complete without any script. */
#pragma once

#include "options.h"
#include "report.h"

void html_overview_write(const html_report *report, const html_options *options, FILE *out);

/* The title of the page: of --title, or the program's. g_free() it. */
char *html_overview_title(const html_report *report, const html_options *options);
