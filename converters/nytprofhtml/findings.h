/* What stands out, as the first part of the overview. */
#pragma once

#include "report.h"

#include <stdio.h>

/* Writes a sentence for each finding; nothing if there is none. */
void html_findings_write(const html_report *report, FILE *out);
