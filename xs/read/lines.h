/* Ticks and executions by file and line. Lines are kept in pages, because after "#line 5000000" most line
 * numbers are unused. */
#pragma once

#include "bound.h"

typedef struct read_lines_file read_lines_file;

/* Initialize it with zeros, except for the bound. */
typedef struct read_lines {
    read_bound *bound;
    read_lines_file *files; /* by fid */
    size_t file_count;
} read_lines;

void read_lines_add(pTHX_ read_lines *l, uint32_t fid, uint32_t line, int64_t ticks, bool executed);

/* Frees what l points to. */
void read_lines_free(read_lines *l);

/* Fills an empty array: [fid][line] => [ seconds, executions ]. Frees the lines file by file, so that both
 * forms never exist as a whole at the same time. */
void read_lines_to_av(pTHX_ read_lines *l, AV *av, double ticks_per_sec);
