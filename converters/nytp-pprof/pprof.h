/* Profiles in the format of pprof: profile.proto (github.com/google/pprof), not yet compressed. */
#ifndef PPROF_PPROF_H
#define PPROF_PPROF_H

#include "calls/process_calls.h"

typedef struct pprof_options {
    double min_percent; /* stacks with less of the time fold into their callers */
    uint32_t max_depth; /* deeper calls fold into their callers; 0: no limit */
} pprof_options;

/* Writes a sample for each stack: calls and exclusive time. Write errors stick to out. */
void pprof_write_stacks(nytp_process_calls *calls, nytp_frames *frames, const pprof_options *options,
                        FILE *out);

/* Writes a sample for each line: statements and time, each in the sub whose lines it is among, without
 * callers. */
void pprof_write_lines(const nytp_profile *profile, FILE *out);

#endif
