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

/* Returns the paths of the recordings: all files of a directory; without operands, those of COVER_DIRECTORY,
 * or else nytcover.out. The caller must call g_ptr_array_unref(). NULL after saying what is wrong. */
GPtrArray *cover_list(const nytp_operands *operands);

/* A new tree sorted by its keys, texts that it frees. */
GTree *cover_tree_new(GDestroyNotify free_value);

/* Adds a recording. Returns false after saying what is wrong. */
bool cover_read_one(nytp_cover *cover, const char *path, const nytp_common_options *common);

/* Reads all, and leaves out what comments excuse. Returns NULL after saying what is wrong. */
nytp_cover *cover_read_all(const GPtrArray *paths, const nytp_common_options *common);

/* Prints the names of the programs that have run a line, "lib/Foo.pm:42". all has all the recordings. Returns
 * the exit status. */
int cover_show_who(const char *where, nytp_cover *all, const GPtrArray *paths,
                   const nytp_common_options *common);

/* Leaves in the files what this program alone has run, as if it had not: so it is listed as what is missing.
 * Returns false after saying that there is no such program. */
bool cover_keep_only_by(const char *program, GPtrArray *files, const GPtrArray *paths,
                        const nytp_common_options *common);

/* Leaves in the files the lines that were added since the last common commit with base, and only files that
 * have any. Returns false after saying why git does not know. */
bool cover_keep_diff(GPtrArray *files, const char *base);
