/* Writes the lines of a report: the member "lines" of DATA.md. */
#pragma once

#include "json.h"
#include "report.h"

void html_lines_write(const html_report *report, html_json *json);
