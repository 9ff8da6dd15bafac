/* Reading the inputs of a program, with progress on a terminal and messages. */
#ifndef NYTP_CLI_READ_H
#define NYTP_CLI_READ_H

#include "cli/options.h"
#include "cli/output.h"

/* Called for each wanted chunk; reader may be asked for what it knows, as ticks_per_sec. */
typedef void nytp_take_fn(void *context, nytp_reader *reader, const nytp_chunk *chunk);

/* Called before each of them: may take by itself what the reader has at hand, up to something else. Returns
 * how many chunks that were. */
typedef size_t nytp_take_run_fn(void *context, nytp_reader *reader);

/* Reads a profile to its end, with progress on a terminal, and tells what was
 * wrong with it. take_run may be NULL. 0: all was there; 1: part of it (cut, or
 * salvaged), and a warning said so; -1: what was taken is not to be used. */
int nytp_read_chunks(const char *path, const nytp_common_options *options, uint32_t wanted,
                     nytp_take_fn *take, nytp_take_run_fn *take_run, void *context);

/* The same of a source, which it takes; messages call it shown. take_some pulls some thousands of chunks by
 * itself each time. It returns what nytp_reader_next() returned last; anything but NYTP_OK ends the reading.
 */
typedef int nytp_take_some_fn(void *context, nytp_reader *reader);
int nytp_read_source(nytp_source *source, const char *shown, const nytp_common_options *options,
                     uint32_t wanted, nytp_take_some_fn *take_some, void *context);

/* The same into a profile. */
int nytp_read_profile(const char *path, const nytp_common_options *options, nytp_profile *profile);

/* Whether all profiles that were read were empty files, so that there is nothing to write. False if none was.
 */
bool nytp_read_nothing(void);

/* As nytp_output_open(), but returns NULL, after saying so, if nytp_read_nothing(). */
nytp_output *nytp_read_open_output(const char *path);

#endif
