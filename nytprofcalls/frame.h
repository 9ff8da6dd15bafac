/* Sub names as frames of a collapsed stack. Both are nytp_rename_fn. */
#ifndef FRAME_H
#define FRAME_H

#include "nytprof.h"

/* The name in UTF-8. Blanks and ";", at which stacks and frames end, become "?"; control characters, and what
 * XML cannot have, become escapes. */
char *frame_name(void *context, nytp_str raw, size_t *length);

/* Also: the numbers of string evals become 0, so that runs of one eval are one frame. */
char *frame_name_merging_evals(void *context, nytp_str raw, size_t *length);

#endif
