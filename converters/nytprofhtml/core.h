/* The core block of a report: everything but source (DATA.md). */
#pragma once

#include "diff/difference.h"
#include "json.h"
#include "options.h"
#include "report.h"

/* Adds the block to pack. */
void html_core_add(const html_report *report, const html_options *options, html_pack *pack);

/* Returns the lines (html_line_row) in the order of their rows. The caller must free them. */
GArray *html_line_rows(const html_report *report);

/* Returns the first row of a line, by its fid, or HTML_NO_ROW. */
#define HTML_NO_ROW UINT32_MAX
uint32_t html_line_row_of(const html_report *report, nytp_slice_place place);

/* Each writes a member: the lines; the labels of a report that has some; what changed since OLD. */
void html_lines_write(const html_report *report, html_json *json);
void html_label_table_write(const html_report *report, html_json *json);
void html_changes_write(const html_difference *difference, html_json *json);
