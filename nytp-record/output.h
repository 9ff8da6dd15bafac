/* The profile of a recorder while it is written: a file, and what makes chunks of samples. With --push, one
 * after the other, which are handed over when they are complete. */
#pragma once

#include "counts.h"
#include "fold.h"
#include "options.h"
#include "outfile.h"

/* What a profile is named: FILE, FILE.PID, or with RECORD_NAME_AGAIN the first of FILE.PID.2, FILE.PID.3 and
 * so on that is not there, since FILE.PID is the profile of an earlier process. */
enum record_name_kind { RECORD_NAME_PLAIN, RECORD_NAME_PID, RECORD_NAME_AGAIN };

typedef struct record_output {
    const record_options *options;
    const sampler_target *target;
    record_outfile *outfile; /* NULL: with --push, it could not be created */
    nytp_writer *writer;
    record_sources *sources;
    record_fold *fold;
    record_counts before; /* when it was begun */
    /* With --push: */
    int64_t begun_ns;
    char *series;
    char *lost_why; /* why it could not be created */
} record_output;

/* Begins a profile. options and target must live as long. now: what was counted so far. Returns false after
 * setting why; never with --push, where a profile that cannot be written is lost when it ends. */
bool record_output_begin(record_output *output, enum sampler_source source, enum record_name_kind kind,
                         const record_counts *now, char *why, size_t why_size);

/* Completes the profile, and closes or hands over its file. Returns 0, or -1 after saying why. It is not
 * converted if the profiles are to become one. With --push, what went wrong is counted there. */
int record_output_end(record_output *output, const record_counts *now, long threads);

/* Frees what was begun and not ended. */
void record_output_clear(record_output *output);
