/* Output that appears complete or not at all. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

typedef struct nytp_output nytp_output;

/* Opens standard output if path is "-" or NULL. Otherwise creates a temporary file in the directory of path,
 * which replaces path when it is committed; a signal that ends the program removes it. There can be one
 * output at a time. Returns NULL after saying why it failed. */
nytp_output *nytp_output_open(const char *path);

/* Returns whether the input is the file that an output to path would replace. If so, says so; the message
 * calls the input `name`. */
bool nytp_output_refuses(const char *path, const char *name, const struct stat *input);

/* For binary output: returns whether path is standard output and that is a terminal, and says so. */
bool nytp_output_refuses_terminal(const char *path);

/* Returns the stream to write to. It belongs to output. */
FILE *nytp_output_stream(nytp_output *output);

/* Compresses the output from here on, as one gzip member. Ask for the stream afterwards. Returns 0, or -1
 * after saying why. */
int nytp_output_compress(nytp_output *output);

/* Says once that the output is large when it has more than most_mb million bytes, and gives the advice, which
 * must stay valid. Not for compressed output. Ask for the stream afterwards. Returns 0, or -1 after saying
 * why. */
int nytp_output_warn_above(nytp_output *output, uint32_t most_mb, const char *advice);

/* Both free output. Commit returns 0, or -1 after saying why it failed; path is then as it was before. */
int nytp_output_commit(nytp_output *output);
void nytp_output_discard(nytp_output *output);

/* For results that pass through an unnamed file: commits if error_number is 0. Otherwise says what went wrong
 * with that file, discards, and returns -1. */
int nytp_output_end(nytp_output *output, int error_number);

/* For results that were printed to standard output: flushes it. Returns the exit status, after a message if
 * any of it was lost. */
int nytp_flush_stdout(void);
