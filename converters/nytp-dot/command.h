/* The command line of nytp-dot. */
#pragma once

#include "graph.h"
#include "cli/options.h"
#include "draw.h"

typedef struct dot_command {
    nytp_common_options common;
    dot_graph_options graph;
    dot_choose_options choose;
    dot_draw_options draw;
    bool keep_evals; /* each run of a string eval is a file of its own */
    const char *file;
    const char *old; /* the profile to compare with, or NULL */
} dot_command;

/* Fills a command that is all zeros. Returns -1 to go on, or the exit status to leave main with. Clear the
 * command in either case. */
int dot_command_parse(dot_command *command, int argc, char **argv);
void dot_command_clear(dot_command *command);
