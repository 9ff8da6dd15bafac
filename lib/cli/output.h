/* Output that appears whole or not at all. */
#ifndef NYTP_CLI_OUTPUT_H
#define NYTP_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

typedef struct nytp_output nytp_output;

/* Opens standard output for "-" or NULL. Otherwise creates a temporary file in the directory of path, which
 * replaces path when it is committed; a signal that ends the program removes it. There can be one output at a
 * time. Returns NULL after saying why. */
nytp_output *nytp_output_open(const char *path);

/* Whether the input is the very file that an output to path would replace. True after saying so; messages
 * call the input shown. */
bool nytp_output_refuses(const char *path, const char *shown, const struct stat *input);

FILE *nytp_output_stream(nytp_output *output);

/* Each frees output. Commit: 0, or -1 after saying why; path is as it was then. */
int nytp_output_commit(nytp_output *output);
void nytp_output_discard(nytp_output *output);

/* For results that were printed to standard output: flushes it, and says so if any of it was lost. Returns
 * the exit status. */
int nytp_flush_stdout(void);

#endif
