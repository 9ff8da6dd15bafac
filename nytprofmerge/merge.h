/* Many profiles as one. */
#ifndef MERGE_H
#define MERGE_H

#include "cli/options.h"
#include "inputs.h"

typedef struct merge_options {
    bool no_calls;  /* leave out the single calls; their sums stay */
    bool no_source; /* leave out source lines */
    int level;      /* of compression, 1 to 9; 0: none */
    unsigned jobs;  /* threads that compress */
} merge_options;

/* What was merged. */
typedef struct merge_totals {
    uint64_t processes;
    uint32_t files;
    size_t arcs;
} merge_totals;

/* Merges inputs that have been checked into out. 0, or -1 after saying why; then what was written is of no
 * use. */
int merge_write(const merge_inputs *inputs, const merge_options *options, const nytp_common_options *common,
                FILE *out, merge_totals *totals);

#endif
