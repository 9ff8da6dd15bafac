/* The profiles to merge: named on the command line or in a list, and looked at before anything is written. */
#ifndef MERGE_INPUTS_H
#define MERGE_INPUTS_H

#include "nytprof.h"

typedef struct merge_inputs merge_inputs;

merge_inputs *merge_inputs_new(void);
void merge_inputs_free(merge_inputs *inputs);

/* "-" is standard input. */
void merge_inputs_add(merge_inputs *inputs, const char *path);

/* Those that a file lists: each ended by a NUL, if there is one, or by a newline. -1 after saying why. */
int merge_inputs_add_list(merge_inputs *inputs, const char *list_path);

size_t merge_inputs_count(const merge_inputs *inputs);

/* That each can be read, is a profile as far as its header goes, is there once and is not the output ("-":
 * standard output). -1 after saying what is wrong. What can be read only once, as a pipe, is copied to
 * a nameless file in the directory for temporary ones. */
int merge_inputs_check(merge_inputs *inputs, const char *output_path);

/* After the check: the most ticks that a second has in any of them. */
double merge_inputs_ticks_per_sec(const merge_inputs *inputs);

/* How messages call it; a source for it, as often as one likes. */
const char *merge_inputs_name(const merge_inputs *inputs, size_t number);
nytp_source *merge_inputs_open(const merge_inputs *inputs, size_t number);

#endif
