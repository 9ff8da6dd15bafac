/* The head of what people read: what ran, where its time went, what all shares are of, and what stands out.
 */
#pragma once

#include "cli/summary.h"
#include "export/table.h"
#include "findings/findings.h"

/* Returns the ticks that are 100 %: the work, or all time. */
double nytp_head_base_ticks(const nytp_profile *profile, bool wait);

/* Returns what stands out, for nytp_findings_free(). The summary has stacks. */
nytp_findings *nytp_head_findings(const nytp_summary *summary, const nytp_filter_options *filters);

/* Return the name of the program, and where its time went, as a sum; for g_free(). */
char *nytp_head_program(const nytp_profile *profile);
char *nytp_head_parts(const nytp_profile *profile);

/* Write errors stick to out. */
void nytp_head_write(const nytp_summary *summary, const nytp_findings *findings, const nytp_operands *files,
                     bool wait, FILE *out);

/* The last line: how many rows are not shown, if any are not, and what shows them. share: what they are
 * below; NaN: nothing is said of that. */
void nytp_head_hidden(uint64_t count, const char *what, double share, nytp_least min, FILE *out);
