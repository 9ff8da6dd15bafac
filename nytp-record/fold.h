/* Makes a profile of stacks: frames that stay from one stack to the next go on, others return and are
 * entered. */
#pragma once

#include "sources.h"

typedef struct record_fold record_fold;

/* strings is what stacks refer to. sources has the names and texts of files, and may be NULL. Chunks go to
 * writer, whose errors stick to it. All stay the caller's. */
record_fold *record_fold_new(nytp_writer *writer, const nytp_strings *strings, record_sources *sources);
void record_fold_free(record_fold *fold);

/* How the time of the next stack divides: running, waiting for a processor, sleeping. */
void record_fold_state(record_fold *fold, const double state_s[SAMPLER_STATES]);

/* A stack, and the time that it stands for. */
void record_fold_add(record_fold *fold, const sampler_stack *stack, double ticks);

/* How much memory the process has, in bytes, after the stacks so far, and how many values its perl has; 0:
 * not known. */
void record_fold_memory(record_fold *fold, uint64_t rss_bytes, uint64_t values);

/* The next stack is of another program that the process executes: all calls return. */
void record_fold_end_program(record_fold *fold);

/* The next stack refers to other strings, in which names may have other numbers. Calls go on. */
void record_fold_renumber(record_fold *fold, const nytp_strings *strings);

/* Returns from all calls, and writes what the end of a profile has for what came since the last time. */
void record_fold_conclude(record_fold *fold);
