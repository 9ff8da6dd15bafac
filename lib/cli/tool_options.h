/* Options of programs that are not listed in a table (options.h) yet. */
#ifndef NYTP_CLI_TOOL_OPTIONS_H
#define NYTP_CLI_TOOL_OPTIONS_H

#include "cli/options.h"

#include <getopt.h>

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

#endif
