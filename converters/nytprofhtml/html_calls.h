/* The longest calls with their times: what DATA.md calls calls. */
#ifndef HTML_CALLS_H
#define HTML_CALLS_H

#include "html_json.h"
#include "html_report.h"

void html_calls_write(const html_report *report, html_json *json);

#endif
