/* What is written of a process: files, and the profile of a recorder while it is written. */
#pragma once

#include "converter.h"
#include "fold.h"
#include "session.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What is written of a process: a profile, which grows. With --format it is converted in the end, and then
 * removed. So what was recorded is on disk at any time, also if this program or the converter is killed. */

typedef struct record_outfile record_outfile;

/* Returns whether a recording could be written to path, as far as can be told before it begins. Otherwise
 * says why. */
bool record_outfile_is_possible(enum record_format format, const char *path);

/* Opens what -o names: standard output for "-"; a FIFO or a device as it is; otherwise a new file, as
 * nytp_newfile_create() does. pid: of the process that is sampled; add_pid: the file is PATH.PID. Returns
 * NULL after writing the reason to why. */
record_outfile *record_outfile_open(enum record_format format, const char *path, pid_t pid, bool add_pid,
                                    char *why, size_t why_size);

/* The profile: its descriptor, and its name for messages. */
int record_outfile_fd(const record_outfile *outfile);
const char *record_outfile_profile(const record_outfile *outfile);

/* What the user gets in the end. */
const char *record_outfile_name(const record_outfile *outfile);

/* Converts the profile if it is complete, closes it and frees outfile. Returns 0, or -1: there is nothing of
 * that name, or not all. What went wrong was said then, and where the profile is. */
int record_outfile_close(record_outfile *outfile, bool complete);

/* Like record_outfile_close(), without converting: what is left is the profile, for record_outfile_convert().
 */
int record_outfile_close_profile(record_outfile *outfile, bool complete);

/* Converts a profile that was closed to name, and removes it. Returns as record_outfile_close() does. */
int record_outfile_convert(enum record_format format, const char *profile, const char *name, bool complete);

/* Returns whether what -o names is written to as it is: standard output, a FIFO or a device. */
bool record_outfile_is_in_place(const char *path);

/* The profile of a recorder while it is written: a file, and what makes chunks of samples. With --push, one
 * after the other, which are handed over when they are complete. */

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
