/* Writes the longest calls with their times, and the tree of stacks: the members "calls" and "stacks" of
 * DATA.md. */
#ifndef HTML_CALLS_H
#define HTML_CALLS_H

#include "json.h"
#include "report.h"

void html_calls_write(const html_report *report, html_json *json);
void html_stacks_write(const GArray *stacks, html_json *json); /* html_stack */

#endif
