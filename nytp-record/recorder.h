/* One process that is sampled into one profile. */
#pragma once

#include "options.h"
#include "outfile.h"
#include "sources.h"
#include "sampler/sampler.h"

typedef struct record_recorder record_recorder;

/* What a profile is named: FILE, FILE.PID, or with RECORD_NAME_AGAIN the first of FILE.PID.2, FILE.PID.3 and
 * so on that is not there, since FILE.PID is the profile of an earlier process. */
enum record_name_kind { RECORD_NAME_PLAIN, RECORD_NAME_PID, RECORD_NAME_AGAIN };

/* Attaches to the perl in a process and begins a profile. NULL after setting *found, and why, which the
 * caller provides, to what to say. */
record_recorder *record_recorder_new(const sampler_subject *subject, const record_options *options,
                                     enum record_name_kind kind, enum sampler_found *found, char *why,
                                     size_t why_size);

/* Takes a sample. Returns false if there is none to come: record_recorder_finish() is due. */
bool record_recorder_sample(record_recorder *recorder);

/* Flushes the profile to its file. Call it once a second. */
void record_recorder_each_second(record_recorder *recorder);

/* Writes all that a reader needs of the samples so far to the file, and goes on. */
void record_recorder_conclude(record_recorder *recorder);

/* With --stop: lets the process go on without being traced, before this program is stopped itself; and traces
 * it again. */
void record_recorder_release(record_recorder *recorder);
void record_recorder_seize_again(record_recorder *recorder);

/* Completes the profile and frees the recorder. 0, or -1 after saying why. It is not converted if the
 * profiles are to become one. */
int record_recorder_finish(record_recorder *recorder);

/* Says once that the release of a perl is not known, if it is not. */
void record_say_guess(const sampler_target *target);

/* Says that the threads of a process cannot be found. */
void record_say_no_threads(const sampler_target *target);

typedef struct record_counts {
    uint64_t samples, torn, idle;   /* idle: not running, with --cpu */
    uint64_t cut;                   /* samples whose outer calls are left out */
    double state_s[SAMPLER_STATES]; /* what the threads did, as far as it is known */
    double missed_s;                /* of running, what no sample saw */
    double lost_s;                  /* time without samples: the sampler came too late */
    double cpu_s;                   /* processor time of the process; negative: not known */
    record_source_counts sources;
} record_counts;

record_counts record_recorder_counts(const record_recorder *recorder);
const sampler_target *record_recorder_target(const record_recorder *recorder);
const record_outfile *record_recorder_outfile(const record_recorder *recorder);
