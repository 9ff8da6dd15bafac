/* The command line of nytp-diff. */
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
