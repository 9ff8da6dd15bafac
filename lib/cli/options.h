/* Options of the command line. */
#ifndef NYTP_CLI_OPTIONS_H
#define NYTP_CLI_OPTIONS_H

#include "nytprof.h"

#include <getopt.h>

typedef struct nytp_common_options {
    bool strict;  /* a cut profile is an error */
    bool salvage; /* what came before corruption is good enough */
    bool verbose;
    const char *output; /* of -o */
    nytp_dprof_options dprof;
} nytp_common_options;

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
int nytp_tool_option(nytp_common_options *options, int c, const char *help);

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

/* For results that were printed to standard output: flushes it, and says so if any of it was lost. Returns
 * the exit status. */
int nytp_flush_stdout(void);

#endif
