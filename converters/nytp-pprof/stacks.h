/* Stacks in the format of pprof: profile.proto (github.com/google/pprof), not yet compressed. */
#pragma once

#include "calls/process_trees.h"

typedef struct pprof_options {
    double min_percent; /* stacks with less of the time fold into their callers */
    uint32_t max_depth; /* deeper calls fold into their callers; 0: no limit */
    bool now;           /* the profile's time is the present, not that of the recording */
} pprof_options;

typedef struct pprof_written {
    uint64_t samples;
    uint32_t cut; /* how many levels of the stacks were deeper than max_depth */
} pprof_written;

/* Writes a sample for each stack of lined trees: calls and exclusive time. Write errors stick to out. Trees
 * that were written can be written again, with other options. */
pprof_written pprof_write_stacks(nytp_process_calls *calls, const pprof_options *options, FILE *out);

/* What Pyroscope accepts unless its administrator says otherwise (pkg/validation/limits.go). */
enum { PPROF_FIT_SAMPLES = 16000, PPROF_FIT_BYTES = 4 << 20, PPROF_FIT_DEPTH = 1000 };

/* Writes as pprof_write_stacks() does, and returns the same. If there are more samples or bytes than that,
 * the smallest stacks fold into their callers first. options->max_depth is at most PPROF_FIT_DEPTH, and the
 * trees must have read the whole time. */
pprof_written pprof_write_fitting(nytp_process_calls *calls, const pprof_options *options, FILE *out);
