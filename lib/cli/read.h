/* Reading the inputs of a program, with progress on a terminal and messages. */
#pragma once

#include "nytprof-model.h"

#include "calls/process_calls.h"
#include "cli/options.h"
#include "cli/output.h"
#include "events/spans.h"
#include "memory/history.h"

#include <stdbool.h>
#include <stdint.h>

/* A profile of a file, as far as it was read: the file may have grown. */
typedef struct nytp_part_of_file {
    size_t profiles; /* that precede it */
    uint64_t bytes;  /* of the file */
} nytp_part_of_file;

/* Returns whether that is a regular file; "-" is not. */
bool nytp_can_be_read_again(const char *path);

/* Skips that number of profiles. The first one may have been read in part. The caller must set the reader's
 * tags again afterwards. Returns whether another profile follows. */
bool nytp_read_skip(nytp_reader *reader, size_t profiles);

/* Reads a profile, with sums of all calls (calls/derive_arcs.h). What is wrong with it has been said. */
void nytp_read_sums(const char *path, const nytp_common_options *options, nytp_part_of_file part,
                    nytp_profile *calls);

/* The profiles of a program that compares: "OLD NEW", or several of each, "OLD ... -- NEW ...". */

#define NYTP_SIDES_USAGE "OLD NEW | OLD ... -- NEW ..."

/* Returns how many words follow the first "--", or -1 if there is none. To be called before
 * nytp_options_parse(), which changes the order of argv. */
int nytp_words_after_dashes(int argc, char **argv);

/* Sets the operands of each side, given all of them and how many words followed "--". Returns -1 to go on, or
 * the exit status after saying what is wrong. */
int nytp_sides_split(const nytp_operands *all, int after_dashes, nytp_operands sides[NYTP_SIDES]);

/* Returns whether the profiles of one side have labels and those of the other have none, after saying that
 * labels are left out then. Sets filters->no_labels in that case. Nothing is read from what cannot be read
 * again, such as a pipe. */
void nytp_sides_unify_labels(const nytp_operands sides[NYTP_SIDES], nytp_filter_options *filters);

typedef struct nytp_progress_line {
    const char *name; /* of the input; NULL: nothing is shown */
    double started_s, shown_s;
    bool shown;
} nytp_progress_line;

/* name must stay valid. Shows nothing if stderr is not a terminal. */
void nytp_progress_begin(nytp_progress_line *line, const char *name);

/* Shows how much was read, how fast, and how long the rest will take. Shows nothing within the first second.
 * size_bytes is 0 if it is not known. */
void nytp_progress_show(nytp_progress_line *line, uint64_t read_bytes, uint64_t size_bytes);

/* Clears the line. */
void nytp_progress_end(const nytp_progress_line *line);

/* The profiles of a program do not add up: it compares them. */
void nytp_slowest_apart(void);

/* Sets how many of a file are chosen, if it is one of several that add up, which are told apart by their
 * addresses: a file may be given twice. For that all of them are read once. Returns 0, or -1 after saying why
 * they cannot be: they must be regular files. */
int nytp_slowest_of_file(const char *operand, const nytp_common_options *common, nytp_slowest *slowest);

/* Reads some thousands of chunks, and returns what nytp_reader_next() returned last. It is called again as
 * long as that is NYTP_OK. */
typedef int nytp_read_some_fn(void *context, nytp_reader *reader);

/* Called at the end of each profile, complete or not. Returns false if reading must stop. */
typedef bool nytp_end_profile_fn(void *context);

/* What reads the chunks of an input. */
typedef struct nytp_read_handler {
    uint32_t tags;
    nytp_read_some_fn *read_some;
    nytp_end_profile_fn *end_profile; /* NULL: a file must not have a second profile */
    void *context;
} nytp_read_handler;

/* Reads a profile to its end, with progress on a terminal, and prints what was wrong with it. Returns 0 if it
 * is complete; 1 if a part of it was read (cut, or salvaged), after a warning; -1 if what was read must not
 * be used.
 *
 * With end_profile it reads all profiles of a file, one after the other, as `cat a b` writes them. It returns
 * 1 if one of them is not complete. */
int nytp_read(const char *path, const nytp_common_options *options, const nytp_read_handler *handler);

/* Returns a new reader with the options, or NULL when out of memory. Takes ownership of the source. tags:
 * those that will be read; what they do not need is not made. */
nytp_reader *nytp_read_open(nytp_source *source, const nytp_common_options *options, uint32_t tags);

/* Reads a file for its spans that the options choose, but for --slowest. Returns NULL after saying why they
 * cannot be found. The caller must call nytp_spans_free(). What is wrong with the file is not said. */
nytp_spans *nytp_read_spans(const char *path, const nytp_common_options *options);

/* Adds the processes of a file to a history of memory or, once all are there, its peaks or holders (parts) of
 * the processes from history->first_process on. The range of the filters is that of the peak, and they say
 * when the first process began. Returns false after saying why the file cannot be read. */
bool nytp_read_memory_history(const char *path, const nytp_common_options *options,
                              nytp_filter_options *filters, nytp_memory_history *history,
                              nytp_records *parts);

/* Like nytp_read(), from a source, of which it takes ownership; messages call it name. */
int nytp_read_source(nytp_source *source, const char *name, const nytp_common_options *options,
                     const nytp_read_handler *handler);

/* For an end_profile: returns the profile that ends, read once more with sums of all its calls
 * (calls/derive_arcs.h), for which the caller must call nytp_profile_free(). NULL if the input cannot be read
 * twice. */
nytp_profile *nytp_read_calls_again(void);

/* Like nytp_read(), into a profile and a call tree, unless that is NULL; into a call tree, from all profiles
 * of a file. Ends the profiles of the call tree. Sums that a file lacks have lines if it can be read again.
 */
int nytp_read_profile(const char *path, const nytp_common_options *options, nytp_profile *profile,
                      nytp_calltree *tree);
int nytp_read_calltree(const char *path, const nytp_common_options *options, nytp_calltree *tree);

/* Like nytp_read(), for all files of a program that shows calls. Warns if they have none, and says how many
 * they have if the options ask for it. Returns 0, or -1 if what was read must not be used. */
int nytp_read_process_calls(const nytp_operands *files, const nytp_common_options *options,
                            nytp_process_calls *calls);

/* Returns what an attribute of a regular file says, as far as it precedes processes, as a clean name, which
 * the caller must g_free(). Returns NULL if the file does not say it. */
char *nytp_read_attribute(const char *path, const char *key);

/* Returns whether memory is read: the options ask for it, or a regular file is a profile of memory, going by
 * its beginning. */
bool nytp_read_is_memory(const char *path, const nytp_common_options *options);

/* Returns whether stacks have a root also without --root: much memory is allocated outside of subs. What is
 * held has variables for stacks. */
bool nytp_read_has_root(const char *path, const nytp_common_options *options);

/* Says which programs show a profile of memory, and returns -1. */
int nytp_read_refuse_memory(const char *name);

/* Call it when all is read. Returns 0 if unit is one of what was measured, or -1 after saying that --unit is
 * not. Without --unit, sets *unit for memory: the smallest one in which the largest amount has no more than
 * four digits. */
int nytp_read_unit(enum nytp_unit_word *unit, double largest_bytes);

/* Warns that the profile has `what`, such as "no calls", unless a warning has said already that a part of the
 * input is missing. nytp_warn_no_calls() also says why there may be none. */
void nytp_warn_lack(const char *what);
void nytp_warn_no_calls(void);

/* Returns whether every profile that was read is empty; false if none was read. Prints that there is nothing
 * to `purpose` ("write", "merge"), or which of several profiles is empty. */
bool nytp_read_nothing(const char *purpose);

/* Like nytp_output_open() and nytp_outdir_open(), but return NULL if nytp_read_nothing(). */
nytp_output *nytp_read_open_output(const char *path);
nytp_outdir *nytp_read_open_outdir(const char *path);

/* Like nytp_read_open_output(), with nytp_output_warn_above(). */
nytp_output *nytp_read_open_large_output(const char *path, uint32_t most_mb, const char *advice);
