/* Writes the lines of a report: the member "lines" of DATA.md. */
#ifndef HTML_LINES_H
#define HTML_LINES_H

#include "json.h"
#include "report.h"

void html_lines_write(const html_report *report, html_json *json);

#endif
