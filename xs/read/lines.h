/* Ticks and executions by file and line. Lines are kept in pages, for "#line 5000000" leaves most of them
 * out. */
#ifndef NYTP_READ_LINES_H
#define NYTP_READ_LINES_H

#include "stream.h"

typedef struct lines_file lines_file;

/* All zeros to begin with. */
typedef struct lines {
    lines_file *files; /* by fid */
    size_t file_count;
} lines;

void lines_add(lines *l, uint32_t fid, uint32_t line, int64_t ticks, bool executed);
void lines_free(lines *l); /* what it points to */

/* [fid][line] => [ seconds, executions ] */
AV *lines_to_av(pTHX_ const lines *l, double ticks_per_sec);

#endif
