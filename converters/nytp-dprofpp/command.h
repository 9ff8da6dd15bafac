/* The command line of nytp-dprofpp. */
#pragma once

#include "calls.h"

#include "cli/options.h"

typedef struct dprofpp_command {
    dprofpp_options options;
    nytp_common_options common;
    nytp_operands files;
    bool force;        /* accept missing exit marks in a tmon.out */
    bool show_version; /* print versions, and nothing else */
    bool is_tree;      /* nytp-tree leaves the options to us: without letters, a tree is shown */
    bool is_other;     /* a table of nytp-table, which takes the same options */
} dprofpp_command;

/* Fills a command that is all zeros. Returns -1 to go on, or the exit status to leave main with. */
int dprofpp_command_parse(dprofpp_command *command, int argc, char **argv);
