/* What every program of the family does the same way: messages, common
 * options, reading its inputs with progress, output that appears whole or not
 * at all. For mains only: unlike the rest of lib/ this prints to stderr.
 */
#ifndef NYTP_TOOL_H
#define NYTP_TOOL_H

#include "nytprof.h"

#include <getopt.h>
#include <sys/stat.h>

enum nytp_exit { NYTP_EXIT_DONE = 0, NYTP_EXIT_FAILED = 1, NYTP_EXIT_USAGE = 2 };

/* To be called first. Keeps the program's name for messages, getopt's too; sees to it that no file is opened
 * in the place of a closed standard descriptor; has a broken pipe end the program quietly, whatever the
 * parent did to SIGPIPE; bounds its memory (limit.h). */
void nytp_tool_begin(const char *name, char **argv);

/* For results that were printed to standard output: flushes it, and says so if any of it was lost. Returns
 * the exit status. */
int nytp_tool_printed(void);

/* "NAME: message\n" on stderr. */
void nytp_tool_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "1 call", "2 calls" for what "call". Returned by value: its text lives as long as the expression. */
typedef struct nytp_counted {
    char text[48];
} nytp_counted;
nytp_counted nytp_tool_counted(uint64_t count, const char *what);

/* Whether it is a terminal that has colours and can write over a line. */
bool nytp_tool_is_terminal(int fd);

/* ---- options -------------------------------------------------------------------- */

typedef struct nytp_tool_options {
    bool strict;  /* a cut profile is an error */
    bool salvage; /* what came before corruption is good enough */
    bool verbose;
    const char *output; /* of -o */
    nytp_dprof_options dprof;
} nytp_tool_options;

/* For the tool's own array of options, whose val must be below NYTP_OPT_FIRST; short ones: "ho:v". */
enum { NYTP_OPT_FIRST = 1000, NYTP_OPT_VERBOSE, NYTP_OPT_STRICT, NYTP_OPT_SALVAGE, NYTP_OPT_VERSION };
#define NYTP_TOOL_OPTIONS                                                                                    \
    {"help", no_argument, NULL, 'h'}, {"output", required_argument, NULL, 'o'},                              \
        {"verbose", no_argument, NULL, NYTP_OPT_VERBOSE}, {"strict", no_argument, NULL, NYTP_OPT_STRICT},    \
        {"salvage", no_argument, NULL, NYTP_OPT_SALVAGE},                                                    \
    {                                                                                                        \
        "version", no_argument, NULL, NYTP_OPT_VERSION                                                       \
    }

/* Handles what getopt_long_only() returned for a common option; help is what
 * --help prints. Returns -1 to go on, or the exit status to leave main with. */
int nytp_tool_option(nytp_tool_options *options, int c, const char *help);

/* "Try 'NAME --help'." Returns NYTP_EXIT_USAGE. */
int nytp_tool_usage(void);

/* Each parses optarg, the value of an option. option is how that is written, dashes included. -1 to go on, or
 * the exit status to leave main with, after saying what was expected. */
enum { NYTP_WHOLE_MOST = INT32_MAX }; /* as most of nytp_tool_whole(), and its negative as least: no limit */
int nytp_tool_bad_value(const char *option, const char *expected);
int nytp_tool_percent(const char *option, double *percent);
int nytp_tool_whole(const char *option, long least, long most, long *number);
int nytp_tool_count(const char *option, uint32_t *count);                     /* from 1 on */
int nytp_tool_word(const char *option, const char *const *words, int *which); /* *which: index; NULL ends */

/* ---- reading ---------------------------------------------------------------------- */

/* Called for each wanted chunk; reader may be asked for what it knows, as ticks_per_sec. */
typedef void nytp_take_fn(void *context, nytp_reader *reader, const nytp_chunk *chunk);

/* Called before each of them: may take by itself what the reader has at hand, up to something else. Returns
 * how many chunks that were. */
typedef size_t nytp_take_run_fn(void *context, nytp_reader *reader);

/* Reads a profile to its end, with progress on a terminal, and tells what was
 * wrong with it. take_run may be NULL. 0: all was there; 1: part of it (cut, or
 * salvaged), and a warning said so; -1: what was taken is not to be used. */
int nytp_tool_read(const char *path, const nytp_tool_options *options, uint32_t wanted, nytp_take_fn *take,
                   nytp_take_run_fn *take_run, void *context);

/* The same of a source, which it takes; messages call it shown. take_some pulls some thousands of chunks by
 * itself each time. It returns what nytp_reader_next() returned last; anything but NYTP_OK ends the reading.
 */
typedef int nytp_take_some_fn(void *context, nytp_reader *reader);
int nytp_tool_read_source(nytp_source *source, const char *shown, const nytp_tool_options *options,
                          uint32_t wanted, nytp_take_some_fn *take_some, void *context);

/* The same into a profile. */
int nytp_tool_read_profile(const char *path, const nytp_tool_options *options, nytp_profile *profile);

/* Whether all profiles that were read were empty files, so that there is nothing to write. False if none was.
 */
bool nytp_tool_read_nothing(void);

/* ---- output ----------------------------------------------------------------------- */

typedef struct nytp_output nytp_output;

/* "-" or NULL: standard output. Otherwise a file with a hidden name beside path,
 * which takes the place of path when it is committed; a signal that ends the
 * program removes it. There can be one output at a time. NULL after saying why,
 * which may be nytp_tool_read_nothing(). */
nytp_output *nytp_output_open(const char *path);

/* Whether the input is the very file that an output to path would replace. True after saying so; messages
 * call the input shown. */
bool nytp_output_refuses(const char *path, const char *shown, const struct stat *input);

FILE *nytp_output_stream(nytp_output *output);

/* Each frees output. Commit: 0, or -1 after saying why; path is as it was then. */
int nytp_output_commit(nytp_output *output);
void nytp_output_discard(nytp_output *output);

/* Removes the hidden file of an output, if there is one, for a program that is about to end. May be called in
 * a signal handler. */
void nytp_output_abandon(void);

#endif
