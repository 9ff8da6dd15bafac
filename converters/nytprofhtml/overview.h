/* The overview: static HTML, complete without any script. */
#pragma once

#include "options.h"
#include "report.h"

void html_overview_write(const html_report *report, const html_options *options, FILE *out);

/* The title of the page: of --title, or the program's. g_free() it. */
char *html_overview_title(const html_report *report, const html_options *options);

/* Writes a sentence for each finding; nothing if there is none. */
void html_findings_write(const html_report *report, FILE *out);

/* The tables of the subs, lines, files and packages that take most time themselves. */
void html_tops_write(const html_report *report, FILE *out);

/* The flame graph as a static picture, for where no script runs: all stacks wider than 0.2 %, callers above
 * what they call. Needs no style: colours and sizes are attributes. */
void html_flame_write(const html_report *report, FILE *out);
