/* The tables of an overview: the subs, lines, files and packages that take most time themselves. */
#pragma once

#include "report.h"

void html_tops_write(const html_report *report, FILE *out);
