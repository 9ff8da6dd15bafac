/* Ticks and executions by file and line. Lines are kept in pages, for "#line 5000000" leaves most of them
 * out. */
#ifndef NYTP_READ_LINES_H
#define NYTP_READ_LINES_H

#include "bound.h"

typedef struct lines_file lines_file;

/* All zeros but for the bound to begin with. */
typedef struct lines {
    bound *bound;
    lines_file *files; /* by fid */
    size_t file_count;
} lines;

void lines_add(pTHX_ lines *l, uint32_t fid, uint32_t line, int64_t ticks, bool executed);
void lines_free(lines *l); /* what it points to */

/* [fid][line] => [ seconds, executions ], which takes the place of what was there. */
void lines_to_av(pTHX_ lines *l, AV *av, double ticks_per_sec);

#endif
