/* The blocks of a report besides the core and the source (DATA.md). Those that *_add() adds to pack are
 * written by the caller. Others are written as far as they fit into most_bytes. */
#pragma once

#include "json.h"
#include "options.h"
#include "report.h"

/* How long the calls of subs took, for the pages of subs. Returns whether there is such a block: of some
 * profiles, that is not known. */
bool html_durations_add(const html_report *report, html_pack *pack);

/* Single requests, which are spans. Returns whether there is such a block: only if the profile has spans, and
 * was not made of samples, from which no duration of a span is known. */
bool html_requests_add(const html_report *report, html_pack *pack);

/* The calls of single requests: blocks of the slowest ones, "request-7" for row 7, until the next one would
 * not fit.
 */
void html_request_trees_write(const html_report *report, html_pack *pack, size_t most_bytes, FILE *out);

/* The stacks of each process, in blocks of their own: the page reads that of the process that is chosen.
 * Writes as many processes as fit, those with most time first. */
void html_process_stacks_write(const html_report *report, html_pack *pack, size_t most_bytes, FILE *out);

/* What stacks and lines have in each slice of the time, for ranges of it. Sets slices, if it is known when
 * something happened, and in which stack. The arrays of `of` become theirs. */
void html_slices_find(html_report *report, nytp_time_slices *of);

/* Writes the blocks "slices" and "slice-cells", with fewer and longer slices if they would not fit, and
 * neither if the fewest slices do not. */
void html_slices_write(const html_report *report, html_pack *pack, size_t most_bytes, FILE *out);

/* Writes a column of these blocks: the bytes of memory of each slice, those of all processes added up, under
 * that key. Nothing if no process says what it had. */
void html_slice_memory_write(html_json *j, const char *key, const html_slices *slices);

/* Writes a table of the slices that follow one another in which a process had as much memory. */
void html_slice_memory_write_processes(html_json *j, const char *key, const html_slices *slices);
