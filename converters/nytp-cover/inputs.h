/* The recordings that nytp-cover reads. */
#pragma once

#include "cli/options.h"
#include "cover/cover.h"

/* Reads the files; all files of a directory. Without operands, those of the directory nytcover, or else
 * nytcover.out. Returns NULL after saying what is wrong. */
nytp_cover *cover_read_all(const nytp_operands *operands, const nytp_common_options *common);
