/* How much memory the processes had in slices of the time. */
#pragma once

#include "json.h"
#include "report.h"

/* Writes a column: the bytes of each slice, those of all processes added up, under that key. Nothing if no
 * process says what it had. */
void html_slice_memory_write(html_json *j, const char *key, const html_slices *slices);

/* Writes a table of the slices that follow one another in which a process had as much. */
void html_slice_memory_write_processes(html_json *j, const char *key, const html_slices *slices);
