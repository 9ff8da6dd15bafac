/* What memory is for, by sub and by file: only of a profile of memory. */
#pragma once

#include "json.h"
#include "report.h"

/* Writes "kinds" and "file_kinds" of DATA.md. */
void html_kinds_write(const html_report *report, html_json *json);
