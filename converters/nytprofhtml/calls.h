/* Writes the longest calls with their times, and the tree of stacks: the members "calls" and "stacks" of
 * DATA.md. */
#pragma once

#include "json.h"
#include "report.h"

/* Whose subs and ticks are written. */
typedef struct html_calls_as {
    const uint32_t *numbers; /* of subs, by number in the report; NULL: those of the report */
    double stack_scale, call_scale;
} html_calls_as;

#define HTML_CALLS_AS_THEY_ARE ((html_calls_as){NULL, 1, 1})

void html_calls_write(const html_report *report, const html_calls_as *as, html_json *json);
void html_stacks_write(const html_report *report, const html_calls_as *as, html_json *json);
