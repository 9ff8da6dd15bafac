/* The command line of nytp-tree. */
#pragma once

#include "calls.h"

#include "cli/options.h"

typedef struct tree_command {
    tree_options options;
    nytp_common_options common;
    nytp_operands files;
    bool force;        /* accept missing exit marks in a tmon.out */
    bool show_version; /* print versions, and nothing else */
    bool is_other;     /* a table of nytp-table, which takes the same options */
} tree_command;

/* Fills a command that is all zeros. Returns -1 to go on, or the exit status to leave main with. */
int tree_command_parse(tree_command *command, int argc, char **argv);
