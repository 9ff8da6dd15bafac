/* Merges many profiles into one. */
#pragma once

#include "cli/options.h"
#include "inputs.h"

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
