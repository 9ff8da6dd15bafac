/* The profiles to merge, from the command line or a list. They are checked before anything is written. */
#ifndef MERGE_INPUTS_H
#define MERGE_INPUTS_H

#include "nytprof.h"

typedef struct merge_inputs merge_inputs;

merge_inputs *merge_inputs_new(void);
void merge_inputs_free(merge_inputs *inputs);

/* "-" is standard input. */
void merge_inputs_add(merge_inputs *inputs, const char *path);

/* Adds those that a file lists, one a line, or each ended by a NUL if there is a NUL in it. 0, or -1 after
 * saying why. */
int merge_inputs_add_list(merge_inputs *inputs, const char *list_path);

size_t merge_inputs_count(const merge_inputs *inputs);

/* Checks that each can be read, is a profile as far as its header tells, is given once, and is not the output
 * ("-": standard output). What can be read only once, as a pipe, is copied to a nameless temporary file. 0,
 * or -1 after saying what is wrong. */
int merge_inputs_check(merge_inputs *inputs, const char *output_path);

/* After the check: the largest ticks_per_sec of all. */
double merge_inputs_ticks_per_sec(const merge_inputs *inputs);

/* How messages call it. */
const char *merge_inputs_name(const merge_inputs *inputs, size_t number);

/* After the check: a new source of it, each time from its begin. NULL: out of memory. */
nytp_source *merge_inputs_open(const merge_inputs *inputs, size_t number);

#endif
