/* One process that is sampled into one profile. */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include "options.h"
#include "sampler/process.h"
#include "sampler/target.h"

typedef struct record_recorder record_recorder;

/* Attaches to the perl in a process and begins a profile. add_pid: its name ends with the pid. NULL after
 * setting *found, and why, which the caller provides, to what to say. */
record_recorder *record_recorder_new(pid_t pid, const record_options *options, bool add_pid,
                                     enum record_found *found, char *why, size_t why_size);

/* Takes a sample. false: there is none to come; record_recorder_finish() is due. */
bool record_recorder_sample(record_recorder *recorder);

/* Once a second: has what there is reach the file. */
void record_recorder_each_second(record_recorder *recorder);

/* Has the file hold all that a reader needs of what there is, and goes on. */
void record_recorder_conclude(record_recorder *recorder);

/* Completes the profile and frees the recorder. 0, or -1 after saying why. */
int record_recorder_finish(record_recorder *recorder);

typedef struct record_counts {
    uint64_t samples, torn, idle; /* idle: not running, with --cpu */
    double lost_s;                /* time without samples: the sampler came too late */
} record_counts;

const record_counts *record_recorder_counts(const record_recorder *recorder);
pid_t record_recorder_pid(const record_recorder *recorder);
const char *record_recorder_file(const record_recorder *recorder);

#endif
