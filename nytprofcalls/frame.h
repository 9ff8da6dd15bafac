/* Sub names as frames of a collapsed stack. Both are nytp_rename_fn. */
#ifndef FRAME_H
#define FRAME_H

#include "nytprof.h"

/* A frame ends at ";" and a stack at a blank: both become "?", and what would break the line is escaped. */
char *frame_name(void *context, nytp_str raw, size_t *length);

/* Also: the numbers of string evals become 0, so that runs of one eval are one frame. */
char *frame_name_merging_evals(void *context, nytp_str raw, size_t *length);

#endif
