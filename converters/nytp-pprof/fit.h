/* Stacks in the format of pprof, as many as Grafana Pyroscope accepts. */
#pragma once

#include "stacks.h"

/* What Pyroscope accepts unless its administrator says otherwise (pkg/validation/limits.go). */
enum { PPROF_FIT_SAMPLES = 16000, PPROF_FIT_BYTES = 4 << 20, PPROF_FIT_DEPTH = 1000 };

/* Writes as pprof_write_stacks() does, and returns the same. If there are more samples or bytes than that,
 * the smallest stacks fold into their callers first. options->max_depth is at most PPROF_FIT_DEPTH, and the
 * trees must have read the whole time. */
pprof_written pprof_write_fitting(nytp_process_calls *calls, const pprof_options *options, FILE *out);
