/* Sub names as frames of a collapsed stack. Both are nytp_rename_fn. */
#ifndef FRAME_H
#define FRAME_H

#include "nytprof.h"

/* A frame ends at ";" and a stack at a blank: they become "?". What would break the line, or XML that is
 * made of it, is escaped: control characters; and the name is UTF-8. */
char *frame_name(void *context, nytp_str raw, size_t *length);

/* Also: the numbers of string evals become 0, so that runs of one eval are one frame. */
char *frame_name_merging_evals(void *context, nytp_str raw, size_t *length);

#endif
