/* The marks of a tmon.out: a line for each entry and exit of a sub. */
#pragma once

#include "format/dprof/tmonstate.h"

/* Decodes a line of marks, which is at r->at, given without its newline. The caller must pass the same line
 * again if the stage has become TMON_UNWIND. */
nytp_decode_result nytp_tmon_decode_mark(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

/* The same for a last line without a newline, which may be incomplete. */
nytp_decode_result nytp_tmon_decode_last(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);

/* Called when there are no more marks: unwinds all open calls. */
void nytp_tmon_end_marks(struct nytp_tmon *t);

/* Makes chunk a SUB_ENTRY of that sub. */
void nytp_tmon_fill_entry(const nytp_tmon_calls *calls, uint32_t sub, nytp_chunk *chunk);
