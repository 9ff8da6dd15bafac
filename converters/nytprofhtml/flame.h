/* The flame graph as a static picture, for where no script runs. */
#pragma once

#include "report.h"

/* All stacks wider than 0.2 %, callers above what they call. Needs no style: colours and sizes are
 * attributes. */
void html_flame_write(const html_report *report, FILE *out);
