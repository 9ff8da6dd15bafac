/* Sub names as frames of a collapsed stack. Both functions are nytp_rename_fn. */
#pragma once

#include "nytprof-model.h"

/* Returns the name in UTF-8. ";", which ends a frame, becomes "?", and so does a blank before a number that
 * ends the name. Control characters, and characters that XML does not allow, become escapes. */
char *calls_frame_name(void *context, nytp_str raw, size_t *length);

/* Like calls_frame_name(), with the numbers of string evals replaced by 0, so that all runs of one eval are
 * one frame. */
char *calls_frame_name_merging_evals(void *context, nytp_str raw, size_t *length);
