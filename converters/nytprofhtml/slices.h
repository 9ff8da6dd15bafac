/* What stacks and lines of a report have in each slice of the time, for ranges of it. */
#pragma once

#include "report.h"
#include "calls/time_slices.h"

/* Sets slices, if it is known when something happened, and in which stack. The arrays of `of` become theirs.
 */
void html_slices_find(html_report *report, nytp_time_slices *of);

/* Writes the blocks "slices" and "slice-cells", with fewer and longer slices if they would take more than
 * most_bytes. Writes neither if the fewest slices do, too. */
void html_slices_write(const html_report *report, html_pack *pack, size_t most_bytes, FILE *out);
