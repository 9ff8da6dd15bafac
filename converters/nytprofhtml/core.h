/* The core block of a report: everything but source (DATA.md). */
#ifndef HTML_CORE_H
#define HTML_CORE_H

#include "options.h"
#include "report.h"

void html_core_write(const html_report *report, const html_options *options, FILE *out);

#endif
