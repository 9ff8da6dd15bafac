/* Ticks and executions by file and line. Lines are kept in pages, because after "#line 5000000" most line
 * numbers are unused. */
#ifndef READ_LINES_H
#define READ_LINES_H

#include "bound.h"

typedef struct read_lines_file read_lines_file;

/* Starts with all zeros but for the bound. */
typedef struct read_lines {
    read_bound *bound;
    read_lines_file *files; /* by fid */
    size_t file_count;
} read_lines;

void read_lines_add(pTHX_ read_lines *l, uint32_t fid, uint32_t line, int64_t ticks, bool executed);

/* Frees what l points to. */
void read_lines_free(read_lines *l);

/* Fills an empty array: [fid][line] => [ seconds, executions ]. Frees the lines on the way, so that the two
 * forms never exist at the same time as a whole. */
void read_lines_to_av(pTHX_ read_lines *l, AV *av, double ticks_per_sec);

#endif
