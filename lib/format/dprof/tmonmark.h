/* The marks of a tmon.out: a line for each entry and exit of a sub. */
#ifndef NYTP_FORMAT_DPROF_TMONMARK_H
#define NYTP_FORMAT_DPROF_TMONMARK_H

#include "format/dprof/tmon.h"

/* Reads a line of marks, which is at r->at, without its end. WHOLE: a chunk; SKIPPED: no chunk came of it;
 * FAILED. The caller must give the line again if the stage has become TMON_UNWIND. */
enum progress nytp_tmon_take_mark(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

/* The same for a last line that has no end, and so may be a part of one. */
enum progress nytp_tmon_take_rest(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

/* No more marks come: all open calls are to be unwound. */
void nytp_tmon_end_marks(struct nytp_tmon *t);

void nytp_tmon_fill_entry(const nytp_tmon_calls *calls, uint32_t sub, nytp_chunk *chunk); /* a SUB_ENTRY */

#endif
