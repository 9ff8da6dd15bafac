/* The command line of nytp-diff, and what is done for it. */
#pragma once

#include "options.h"
#include "cli/options.h"

typedef struct diff_command {
    diff_options options;
    nytp_common_options common;
    nytp_operands files[NYTP_SIDES];
} diff_command;

/* Returns -1 to go on, or the exit status. */
int diff_command_parse(diff_command *command, int argc, char **argv);

/* Reads all profiles of a command into a comparison. Warns if they are of different programs. Returns 0, or
 * -1 after saying why they cannot be compared. */
int diff_read(nytp_comparison *comparison, const diff_command *command);

/* --fail-over and --fail-calls: says which limit is exceeded, for the whole program or one sub. What chance
 * can explain does not exceed one. Returns 0, NYTP_EXIT_OVER if one is, or NYTP_EXIT_FAILED after saying that
 * there is no such sub. */
int diff_limits_check(nytp_comparison *comparison, const diff_options *options);
