/* Processes that were looked at and cannot be sampled. They are not looked at again until they execute
 * something else. */
#pragma once

#include "sampler/perl/interpreter.h"
#include "sampler/process/process.h"

typedef struct sampler_rejected sampler_rejected;

sampler_rejected *sampler_rejected_new(void);
void sampler_rejected_free(sampler_rejected *rejected);

typedef struct sampler_rejection {
    enum sampler_found found;
    const char *why;
} sampler_rejection;

/* Returns what was found when the process was rejected, valid until something is added; NULL if it was not,
 * or executes something else by now. exe is what /proc/PID/exe leads to. now_ns never goes back. */
const sampler_rejection *sampler_rejected_find(sampler_rejected *rejected, const sampler_process *process,
                                               const char *exe, int64_t now_ns);

/* Adds a process in which found was found, and copies why. exe was read before that. Does nothing where
 * another look may find a perl: where its interpreter has not started, or the process could not be read. What
 * is not a perl counts as rejected when it still executes exe a second after the first look, because it may
 * not have mapped its libraries then. */
void sampler_rejected_add(sampler_rejected *rejected, const sampler_process *process, const char *exe,
                          enum sampler_found found, const char *why, int64_t now_ns);

/* Ends a look at all processes: forgets those that were not looked for since the last one, as they are gone.
 */
void sampler_rejected_end_look(sampler_rejected *rejected);
