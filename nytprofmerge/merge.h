/* Merges many profiles into one. */
#pragma once

#include "nytprof.h"

#include "cli/options.h"

/* The profiles to merge, from the command line or a list. They are checked before anything is written. */

typedef struct merge_inputs merge_inputs;

merge_inputs *merge_inputs_new(const nytp_common_options *options);
void merge_inputs_free(merge_inputs *inputs);

/* Adds the profile at path. "-" is standard input. */
void merge_inputs_add(merge_inputs *inputs, const char *path);

/* Adds the paths that a file lists: one per line, or each ended by a NUL if the file contains a NUL. Returns
 * 0, or -1 after saying why. */
int merge_inputs_add_list(merge_inputs *inputs, const char *list_path);

size_t merge_inputs_count(const merge_inputs *inputs);

/* Checks that each input can be read, has a profile's header, is given once, and is not the output ("-":
 * standard output). Copies what can be read only once, such as a pipe, to an unnamed temporary file. Returns
 * 0, or -1 after saying what is wrong. */
int merge_inputs_check(merge_inputs *inputs, const char *output_path);

/* Returns the largest ticks_per_sec of all inputs. Call it after merge_inputs_check(). */
double merge_inputs_ticks_per_sec(const merge_inputs *inputs);

/* Returns the name of an input for messages. */
const char *merge_inputs_name(const merge_inputs *inputs, size_t number);

/* Returns a new source that starts at the beginning of an input, or NULL when out of memory. Call it after
 * merge_inputs_check(). */
nytp_source *merge_inputs_open(const merge_inputs *inputs, size_t number);

typedef struct merge_options {
    bool no_calls;  /* leave out the single calls; their sums stay */
    bool no_source; /* leave out source lines */
    int32_t level;  /* of compression, 1 to 9; 0: none */
    uint32_t jobs;  /* threads that compress */
} merge_options;

/* What was merged. */
typedef struct merge_totals {
    uint64_t processes;
    uint32_t files;
    size_t arcs;
} merge_totals;

/* Merges inputs that were checked into out. Returns 0, or -1 after saying why; out is then incomplete. */
int merge_write(const merge_inputs *inputs, const merge_options *options, const nytp_common_options *common,
                FILE *out, merge_totals *totals);
