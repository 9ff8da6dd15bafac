/* What is written of a process: a profile, which grows. With --format it is converted in the end, and then
 * removed. So what was recorded is on disk at any time, also if this program or the converter is killed. */
#pragma once

#include "converter.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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
