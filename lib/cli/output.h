/* Output that appears complete or not at all. */
#ifndef NYTP_CLI_OUTPUT_H
#define NYTP_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

typedef struct nytp_output nytp_output;

/* Opens standard output if path is "-" or NULL. Otherwise creates a temporary file in the directory of path,
 * which replaces path when it is committed; a signal that ends the program removes it. There can be one
 * output at a time. Returns NULL after saying why it failed. */
nytp_output *nytp_output_open(const char *path);

/* Returns whether the input is the file that an output to path would replace, and says so. name: the input in
 * the message. */
bool nytp_output_refuses(const char *path, const char *name, const struct stat *input);

/* For binary output: returns whether path is standard output and that is a terminal, and says so. */
bool nytp_output_refuses_terminal(const char *path);

FILE *nytp_output_stream(nytp_output *output);

/* From here on the stream is compressed, as one gzip member. Returns 0, or -1 after saying why. */
int nytp_output_compress(nytp_output *output);

/* Both free output. Commit returns 0, or -1 after saying why it failed; path is then as it was before. */
int nytp_output_commit(nytp_output *output);
void nytp_output_discard(nytp_output *output);

/* For results that come by way of an unnamed file: commits if error_number is 0; else says what went wrong
 * with that file, discards, and returns -1. */
int nytp_output_end(nytp_output *output, int error_number);

/* For results that were printed to standard output: flushes it. Returns the exit status, after a message if
 * any of it was lost. */
int nytp_flush_stdout(void);

#endif
