/* The tables of an overview: the subs, lines, files and packages that take most time themselves. */
#ifndef HTML_TOPS_H
#define HTML_TOPS_H

#include "report.h"

void html_tops_write(const html_report *report, FILE *out);

#endif
