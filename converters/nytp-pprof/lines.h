/* Lines in the format of pprof: profile.proto (github.com/google/pprof), not yet compressed, for `pprof
 * -list`. */
#pragma once

#include "nytprof-model.h"

/* Writes a sample for each line: statements and time, each in the sub whose lines it is among, without
 * callers. now: as in pprof_options. Write errors stick to out. */
void pprof_write_lines(const nytp_profile *profile, bool now, FILE *out);
