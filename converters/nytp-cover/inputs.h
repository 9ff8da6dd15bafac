/* The recordings that nytp-cover makes and reads. */
#pragma once

#include "cli/options.h"
#include "cover/cover.h"

#define COVER_DIRECTORY "nytcover" /* of the recordings of a command */

/* Returns whether the operands are a command and its arguments, not recordings. */
bool cover_is_command(const nytp_operands *operands, bool after_dashes);

/* Runs the command. In place of the recordings in COVER_DIRECTORY, those of all perls below it are there
 * then. Returns its exit status, as shells have it; -1 after saying why it was not run. */
int cover_run(const nytp_operands *command);

/* Reads the files; all files of a directory. Without operands, those of COVER_DIRECTORY, or else
 * nytcover.out. Returns NULL after saying what is wrong. */
nytp_cover *cover_read_all(const nytp_operands *operands, const nytp_common_options *common);

/* Leaves in the files the lines that were added since the last common commit with base, and only files that
 * have any. Returns false after saying why git does not know. */
bool cover_keep_diff(GPtrArray *files, const char *base);
