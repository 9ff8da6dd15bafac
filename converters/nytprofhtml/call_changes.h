/* What changed of calls: by caller and callee, and by the places that they are made from. */
#pragma once

#include "line_changes.h"

typedef struct html_call_change {
    int64_t caller, callee; /* subs of the report; -1: outside of subs */
    int64_t file;           /* of a place, in the report; -1: it is not known, or only OLD has it */
    uint32_t line, old_line;
    double incl[NYTP_SIDES], calls[NYTP_SIDES]; /* incl: in ticks of the report */
    enum nytp_verdict verdict;                  /* of the inclusive time */
} html_call_change;

/* Returns a new array of html_call_change. kind: NYTP_COMPARE_CALLS or NYTP_COMPARE_PLACES. sub_numbers: in
 * the report, by row of the comparison. */
GArray *html_call_changes_new(const html_line_sources *sources, const int64_t *sub_numbers,
                              enum nytp_compared kind);
