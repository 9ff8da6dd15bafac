/* One process that is sampled into one profile. */
#pragma once

#include "output.h"

#include "sampler/sampler.h"

enum { RECORD_STACKS = SAMPLER_STATES + 1 };

/* All 0: there is none. */
typedef struct record_stacks {
    sampler_stack all[RECORD_STACKS];
    int newest;
    int last[SAMPLER_STATES]; /* 1 more than which; 0: none. A thread that has fallen asleep has the stack of
                                 before. */
} record_stacks;

void record_stacks_clear(record_stacks *stacks);

/* Returns room for a stack to be read, which becomes the newest. It is none of the last ones. */
sampler_stack *record_stacks_next(record_stacks *stacks);
const sampler_stack *record_stacks_newest(const record_stacks *stacks);

/* The newest one is the last of this state from here on. */
void record_stacks_keep(record_stacks *stacks, int state);

/* Returns NULL if there is none. */
const sampler_stack *record_stacks_last(const record_stacks *stacks, int state);

/* Their strings have other numbers now. */
void record_stacks_forget(record_stacks *stacks);

typedef struct record_recorder record_recorder;

/* Attaches to the perl in a process and begins a profile. NULL after setting *found, and why, which the
 * caller provides, to what to say. */
record_recorder *record_recorder_new(const sampler_subject *subject, const record_options *options,
                                     enum record_name_kind kind, enum sampler_found *found, char *why,
                                     size_t why_size);

/* Takes a sample. Returns false if there is none to come: record_recorder_finish() is due. */
bool record_recorder_sample(record_recorder *recorder);

/* Returns whether its profile cannot be written. With --push the next one is tried. */
bool record_recorder_failed(const record_recorder *recorder);

/* Flushes the profile to its file. Call it once a second. */
void record_recorder_each_second(record_recorder *recorder);

/* Writes all that a reader needs of the samples so far to the file, and goes on. */
void record_recorder_conclude(record_recorder *recorder);

/* With --push: completes the profile, hands it over and begins the next one. */
void record_recorder_next_profile(record_recorder *recorder);

/* With --stop: lets the process go on without being traced, before this program is stopped itself; and traces
 * it again. */
void record_recorder_release(record_recorder *recorder);
void record_recorder_seize_again(record_recorder *recorder);

/* Completes the profile and frees the recorder. *counts: to the end. Returns as record_output_end() does. */
int record_recorder_finish(record_recorder *recorder, record_counts *counts);

/* Says once that the release of a perl is not known, if it is not. */
void record_say_guess(const sampler_target *target);

/* Says that the threads of a process cannot be found. */
void record_say_no_threads(const sampler_target *target);

record_counts record_recorder_counts(const record_recorder *recorder);
const sampler_target *record_recorder_target(const record_recorder *recorder);
const record_outfile *record_recorder_outfile(const record_recorder *recorder);
