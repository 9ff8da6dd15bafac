/* The overview as it is without the script: text and plain tables. */
#pragma once

#include "options.h"
#include "report.h"

void html_overview_write(const html_report *report, const html_options *options, FILE *out);

/* The title of the page: of --title, or the program's. g_free() it. */
char *html_overview_title(const html_report *report, const html_options *options);

/* Writes the first sentence, without its full stop: "Ran 2 min 35 s, 5 processes: 33 s of work, 722 s of
 * waiting". */
void html_headline_write(const html_report *report, FILE *out);

/* Writes a sentence for each cause of the difference of a report that compares. */
void html_causes_write(const html_report *report, FILE *out);

/* Writes a sentence for each of the first findings that do not overlap; nothing if there is none. */
void html_findings_write(const html_report *report, FILE *out);

/* Plain tables of the subs, lines and files that take most time themselves; those of subs and lines end the
 * element in which the findings are. The script puts its pictures and tables in their place. */
void html_tops_write(const html_report *report, FILE *out);
