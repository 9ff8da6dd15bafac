/* Writes the longest calls with their times: the member "calls" of DATA.md. */
#ifndef HTML_CALLS_H
#define HTML_CALLS_H

#include "json.h"
#include "report.h"

void html_calls_write(const html_report *report, html_json *json);

#endif
