/* Reading the inputs of a program, with progress on a terminal and messages. */
#ifndef NYTP_CLI_READ_H
#define NYTP_CLI_READ_H

#include "cli/options.h"
#include "cli/outdir.h"
#include "cli/output.h"
#include "model/process_calls.h"

/* Reads some thousands of the reader's next chunks. Returns what nytp_reader_next() returned last; reading
 * goes on for as long as that is NYTP_OK. reader may be asked for what it knows, such as ticks_per_sec. */
typedef int nytp_read_some_fn(void *context, nytp_reader *reader);

/* Reads a profile to its end, with progress on a terminal, and prints what was wrong with it. Returns 0: it
 * is complete; 1: a part of it was read (cut, or salvaged), and a warning said so; -1: what was read must not
 * be used. */
int nytp_read(const char *path, const nytp_common_options *options, uint32_t wanted,
              nytp_read_some_fn *read_some, void *context);

/* Called at the end of each profile, complete or not. Returns false if reading must stop. */
typedef bool nytp_end_profile_fn(void *context);

/* The same for all profiles of a file, one after the other, as `cat a b` writes them. (nytp_read() fails if
 * there is a second one.) Returns 1 if one of them is not complete. */
int nytp_read_all(const char *path, const nytp_common_options *options, uint32_t wanted,
                  nytp_read_some_fn *read_some, nytp_end_profile_fn *end_profile, void *context);

/* The same from a source, of which it takes ownership; messages call it name. */
int nytp_read_source(nytp_source *source, const char *name, const nytp_common_options *options,
                     uint32_t wanted, nytp_read_some_fn *read_some, nytp_end_profile_fn *end_profile,
                     void *context);

/* The same into a profile; into a call tree, from all profiles of a file; into both. A profile of the call
 * tree is ended. */
int nytp_read_profile(const char *path, const nytp_common_options *options, nytp_profile *profile);
int nytp_read_calltree(const char *path, const nytp_common_options *options, nytp_calltree *tree);
int nytp_read_profile_with_calls(const char *path, const nytp_common_options *options, nytp_profile *profile,
                                 nytp_calltree *tree);

/* The same for all files of a program that shows calls: warns if there are none, and says how many there are
 * if the options ask for it. Returns 0, or -1. */
int nytp_read_process_calls(const nytp_operands *files, const nytp_common_options *options,
                            nytp_process_calls *calls);

/* Warns that the profile has what says, such as "no calls", unless a warning said already that a part of the
 * input is missing. The second one also says why there may be no calls. */
void nytp_warn_lack(const char *what);
void nytp_warn_no_calls(void);

/* Whether every profile that was read is empty; false if none was read. Says so: that there is nothing to do
 * what purpose names ("write", "merge"), or which of several profiles are empty. */
bool nytp_read_nothing(const char *purpose);

/* As nytp_output_open() and nytp_outdir_open(), but return NULL if nytp_read_nothing(). */
nytp_output *nytp_read_open_output(const char *path);
nytp_outdir *nytp_read_open_outdir(const char *path);

#endif
