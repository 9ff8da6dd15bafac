/* The labels in the core block of a report (DATA.md). */
#pragma once

#include "json.h"
#include "report.h"

/* The report has labels. */
void html_label_table_write(const html_report *report, html_json *json);
