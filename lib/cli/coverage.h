/* Recordings of coverage that users name. */
#pragma once

#include "cli/options.h"
#include "cover/cover.h"

#define NYTP_COVERAGE_DIRECTORY "nytcover" /* of the recordings of a command */

/* Returns the paths of the recordings: all files of a directory; without operands, those of
 * NYTP_COVERAGE_DIRECTORY, or else nytcover.out. The caller must call g_ptr_array_unref(). NULL after saying
 * what is wrong. */
GPtrArray *nytp_coverage_list(const nytp_operands *operands);

/* Gets a recording by itself. */
typedef void nytp_coverage_fn(void *context, nytp_cover *one);

/* Reads all, calls each(), unless it is NULL, after each one, and leaves out what comments excuse. Returns
 * NULL after saying what is wrong. */
nytp_cover *nytp_coverage_read(const GPtrArray *paths, const nytp_common_options *common,
                               nytp_coverage_fn *each, void *context);
