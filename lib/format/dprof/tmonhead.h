/* The header of a tmon.out. */
#ifndef NYTP_FORMAT_DPROF_TMONHEAD_H
#define NYTP_FORMAT_DPROF_TMONHEAD_H

#include "format/dprof/tmon.h"

/* Reads a line of the header, which is at r->at, without its end. WHOLE: a chunk; SKIPPED: no chunk came of
 * it; FAILED. The caller must give the line again while in_line is not 0. */
enum progress nytp_tmon_take_header(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

#endif
