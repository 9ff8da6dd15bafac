/* A report as one HTML file. */
#pragma once

#include "options.h"
#include "report.h"

void html_page_write(const html_report *report, const html_options *options, FILE *out);

/* The script and the style: the files in page/, joined by make. */
extern const char html_page_script[];
extern const char html_page_style[];
