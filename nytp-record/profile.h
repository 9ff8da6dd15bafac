/* The beginning and the end of a profile made of samples. */
#pragma once

#include "counts.h"
#include "options.h"

#include "nytprof.h"

/* Errors stick to the writer. from_s: when what is counted begins, in seconds since 1970. */
void record_profile_begin(nytp_writer *writer, const record_options *options, const sampler_target *target,
                          enum sampler_source source, double from_s);
/* Has programs read no files for source: those of these names may be other ones where they are read. */
void record_profile_keep_to_source(nytp_writer *writer);

void record_profile_end(nytp_writer *writer, const record_counts *counts, long threads, pid_t pid);
