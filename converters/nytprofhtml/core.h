/* The blocks of a report (DATA.md): the core, which has everything but source, and others. Those that
 * *_add() adds to pack are written by the caller. Others are written as far as they fit into most_bytes. */
#pragma once

#include "json.h"
#include "options.h"
#include "report.h"

#include "cover/cover.h"

#include "diff/difference.h"

/* Writes the longest calls with their times, and the tree of stacks: the members "calls" and "stacks" of
 * DATA.md. */

/* Whose subs and ticks are written. */
typedef struct html_calls_as {
    const uint32_t *numbers; /* of subs, by number in the report; NULL: those of the report */
    double stack_scale, call_scale;
} html_calls_as;

#define HTML_CALLS_AS_THEY_ARE ((html_calls_as){NULL, 1, 1})

/* The columns "asleep" and "queued" of a table: of each of its items that is_written, an nytp_waited, which
 * is in ticks of the report after scaling. */
#define HTML_WAITED_COLUMNS(j, count, item, is_written, waited, scale)                                       \
    do {                                                                                                     \
        html_json_open(j, "asleep", '[');                                                                    \
        for (guint item = 0; item < (count); item++)                                                         \
            if (is_written)                                                                                  \
                html_json_int(j, NULL, nytp_whole_ticks((waited).asleep_ticks *(scale)));                    \
        html_json_close(j, ']');                                                                             \
        html_json_open(j, "queued", '[');                                                                    \
        for (guint item = 0; item < (count); item++)                                                         \
            if (is_written)                                                                                  \
                html_json_int(j, NULL, nytp_whole_ticks((waited).queued_ticks *(scale)));                    \
        html_json_close(j, ']');                                                                             \
    } while (false)

void html_calls_write(const html_report *report, const html_calls_as *as, html_json *json);
void html_stacks_write(const html_report *report, const html_calls_as *as, html_json *json);

/* The blocks of a report besides the core and the source (DATA.md). Those that *_add() adds to pack are
 * written by the caller. Others are written as far as they fit into most_bytes. */

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
 * something happened, and in which stack. */
void html_slices_find(html_report *report, nytp_time_slices *of);

/* Writes the blocks "slices" and "slice-cells". Makes slices fewer and longer until they fit, and writes
 * neither if the fewest slices do not. */
void html_slices_write(const html_report *report, const html_areas *areas, html_pack *pack, size_t most_bytes,
                       FILE *out);

/* Writes a column of these blocks: the bytes of memory of each slice, those of all processes added up, under
 * that key. Nothing if no process says what it had. */
void html_slice_memory_write(html_json *j, const char *key, const html_slices *slices);

/* Writes a table of the slices that follow one another in which a process had as much memory. */
void html_slice_memory_write_processes(html_json *j, const char *key, const html_slices *slices);

/* Reads the memory of a profile of time over time, which the report then has. */
void html_memory_read(html_report *report, const html_options *options, const nytp_common_options *common);

/* Writes the block "memory", in fewer and longer slices and with fewer places if it would not fit. */
void html_memory_write(const html_report *report, html_pack *pack, size_t most_bytes, FILE *out);

/* Writes how much each process worked in each slice, if there are several: those with most work. */
void html_lanes_write(html_json *j, const char *key, const html_report *report, const html_slices *slices);

/* Adds the block to pack. */
void html_core_add(const html_report *report, const html_areas *areas, const html_options *options,
                   html_pack *pack);

/* Returns the lines (html_line_row) in the order of their rows. The caller must free them. */
GArray *html_line_rows(const html_report *report);

/* Returns the first row of a line, by its fid, or HTML_NO_ROW. */
#define HTML_NO_ROW UINT32_MAX
uint32_t html_line_row_of(const html_report *report, nytp_slice_place place);

/* Each writes a member: the lines; which of them tests have run; the labels of a report that has some; what
 * changed since OLD. */
void html_lines_write(const html_report *report, html_json *json);
void html_coverage_write(const html_report *report, nytp_cover *coverage, html_json *json);
void html_label_table_write(const html_report *report, html_json *json);
void html_changes_write(const html_difference *difference, html_json *json);
