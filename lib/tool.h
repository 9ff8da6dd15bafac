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

/* First of all: keeps the program's name for messages, getopt's too, sees that nothing is opened in the place
 * of a standard descriptor, and lets a broken pipe end the program quietly whatever the parent did to
 * SIGPIPE. */
void nytp_tool_begin(const char *name, char **argv);

/* The program's whole result is on standard output, or not: says so then. Returns the exit status. */
int nytp_tool_printed(void);

/* "NAME: message\n" on stderr. */
void nytp_tool_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "1 call", "2 calls"; what: "call". For the expression that it is part of. */
typedef struct nytp_counted {
    char text[48];
} nytp_counted;
nytp_counted nytp_tool_counted(uint64_t count, const char *what);

/* Whether it is a terminal that knows colours and how to write over a line. */
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

/* What the value of an option means, which getopt left in optarg; option is as it is written, with its
 * dashes. -1 to go on, or the exit status to leave main with, after saying what was expected. */
enum { NYTP_WHOLE_MOST = INT32_MAX };
int nytp_tool_bad_value(const char *option, const char *expected);
int nytp_tool_percent(const char *option, double *percent);
int nytp_tool_whole(const char *option, long least, long most, long *number);
int nytp_tool_count(const char *option, uint32_t *count);                     /* from 1 on */
int nytp_tool_word(const char *option, const char *const *words, int *which); /* NULL ends the words */

/* ---- reading ---------------------------------------------------------------------- */

/* Called for each wanted chunk; reader is for its ticks_per_sec. */
typedef void nytp_take_fn(void *context, nytp_reader *reader, const nytp_chunk *chunk);

/* Reads a profile to its end, with progress on a terminal, and tells what was
 * wrong with it. 0: all was there; 1: part of it (cut, or salvaged), and a
 * warning said so; -1: what was taken is not to be used. */
int nytp_tool_read(const char *path, const nytp_tool_options *options, uint32_t wanted, nytp_take_fn *take,
                   void *context);

/* The same with a source, which it takes, named shown. take_some takes some thousand chunks by itself and
 * returns what nytp_reader_next() returned last, or what is not NYTP_OK to stop. */
typedef int nytp_take_some_fn(void *context, nytp_reader *reader);
int nytp_tool_read_source(nytp_source *source, const char *shown, const nytp_tool_options *options,
                          uint32_t wanted, nytp_take_some_fn *take_some, void *context);

/* The same into a profile. */
int nytp_tool_read_profile(const char *path, const nytp_tool_options *options, nytp_profile *profile);

/* Whether profiles were read, and all of them were empty files: then an output would be of nothing. */
bool nytp_tool_read_nothing(void);

/* ---- output ----------------------------------------------------------------------- */

typedef struct nytp_output nytp_output;

/* "-" or NULL: standard output. Otherwise a file that is written beside path
 * under a hidden name and takes its place on commit; a signal that ends the program
 * removes it. One at a time. NULL after saying why, which can be
 * that nothing was read. */
nytp_output *nytp_output_open(const char *path);

/* Whether the input, shown like that, is the file that path would replace: true after saying so. */
bool nytp_output_refuses(const char *path, const char *shown, const struct stat *input);

FILE *nytp_output_stream(nytp_output *output);

/* Both end output. Commit: 0, or -1 after saying why. */
int nytp_output_commit(nytp_output *output);
void nytp_output_discard(nytp_output *output);

/* Removes what is there of it, where the program is about to end; may be called in a signal handler. */
void nytp_output_abandon(void);

#endif
