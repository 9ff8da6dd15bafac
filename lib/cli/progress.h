/* Progress of reading: a line on stderr that is overwritten, if that is a terminal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct nytp_progress_line {
    const char *name; /* of the input; NULL: nothing is shown */
    double started_s, shown_s;
    bool shown;
} nytp_progress_line;

/* name must stay valid. Shows nothing if stderr is not a terminal. */
void nytp_progress_begin(nytp_progress_line *line, const char *name);

/* Shows how much was read, how fast, and how long the rest will take. Shows nothing within the first second.
 * size_bytes is 0 if it is not known. */
void nytp_progress_show(nytp_progress_line *line, uint64_t read_bytes, uint64_t size_bytes);

/* Clears the line. */
void nytp_progress_end(const nytp_progress_line *line);
