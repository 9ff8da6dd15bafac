/* The command line of nytp-tree, and what it writes of profiles rather than of calls. */
#pragma once

#include "calls.h"

#include "cli/options.h"
#include "findings/findings.h"

/* Writes the whole, the subs, lines and spans that take the most, and what stands out: at most 60 lines.
 * Evals are merged; stacks is a tree of the same calls with unchanged names. Write errors stick to out. */
void tree_page_write(const nytp_profile *profile, nytp_calltree *stacks, const nytp_findings *findings,
                     FILE *out);

typedef struct tree_command {
    tree_options options;
    nytp_common_options common;
    nytp_operands files;
    bool force;        /* accept missing exit marks in a tmon.out */
    bool show_version; /* print versions, and nothing else */
    bool findings;     /* write what stands out, and nothing else */
    bool markdown;     /* write a page in Markdown, which has that, too */
    bool processes;    /* write a table of processes, and nothing else */
} tree_command;

/* Fills a command that is all zeros. Returns -1 to go on, or the exit status to leave main with. */
int tree_command_parse(tree_command *command, int argc, char **argv);

/* --findings and --markdown: reads the profiles and writes a line for each thing that stands out in them,
 * JSON of that, or a page. Returns 0, or -1 after saying why it failed. */
int tree_findings_write(const tree_command *command);

/* --processes: reads the profiles and writes a line for each process. Returns 0, or -1 after saying why it
 * failed. */
int tree_processes_write(const tree_command *command);
