/* Statements summed up by line. */
#ifndef NYTP_MODEL_LINES_H
#define NYTP_MODEL_LINES_H

#include "model/records.h"
#include "nytprof.h"

#include <glib.h>

typedef struct line_sum {
    uint32_t fid, line;
    uint64_t count; /* executions */
    int64_t ticks;
} line_sum;

typedef struct nytp_lines {
    nytp_records sums; /* line_sum */
    uint32_t *order;   /* numbers of sums, sorted by fid and line */
    uint32_t ordered;  /* how many there were then; another number than now: to be sorted again */
} nytp_lines;

nytp_lines *nytp_lines_new(void);
void nytp_lines_free(nytp_lines *lines);

/* The number of the sum of that line, a new one if need be. */
uint32_t nytp_lines_at(nytp_lines *lines, uint32_t fid, uint32_t line, bool *added);

static inline line_sum *nytp_lines_sum(const nytp_lines *lines, uint32_t number)
{
    return nytp_records_at(&lines->sums, number);
}

/* As nytp_profile_next_line(). */
bool nytp_lines_next(nytp_lines *lines, uint32_t fid, uint64_t *from, nytp_line *line);

/* As nytp_records_change(); change may set fid and line. */
void nytp_lines_change(nytp_lines *lines, nytp_record_change_fn *change, void *context);

#endif
