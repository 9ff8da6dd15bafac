/* The header of a tmon.out. */
#pragma once

#include "format/dprof/tmonstate.h"

/* Decodes a line of the header, which is at r->at, given without its newline. The caller must pass the same
 * line again while in_line is not 0. */
nytp_decode_result nytp_tmon_decode_header(nytp_reader *r, const nytp_str *line, nytp_chunk *chunk);
