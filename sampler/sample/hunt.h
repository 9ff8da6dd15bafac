/* Which processes are sampled, and which of their threads: those that were asked for, and what belongs to
 * them. They are looked for again and again, since programs start others, and execute others. */
#pragma once

#include "sampler/perl/interpreter.h"
#include "sampler/process/process.h"
#include "sampler/sample/target.h"

/* Calls visit for the threads that have another interpreter than the target, with the slots of these. Returns
 * false if the C library has no list of threads. */
bool sampler_threads_others(const sampler_target *target, sampler_pthread_fn *visit, void *context);

/* Returns how many threads have interpreters; 0 if its C library has no list of threads. */
long sampler_threads_interpreters(const sampler_target *target);

/* Returns the thread that executes the target's interpreter. It is the first thread of the process where that
 * is not known. */
pid_t sampler_threads_runner(const sampler_target *target);

/* Processes that were looked at and cannot be sampled. They are not looked at again until they execute
 * something else. */

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

typedef struct sampler_hunt sampler_hunt;

/* What may be sampled. */
typedef struct sampler_hunt_wants {
    const sampler_process_id *asked_for; /* these processes; the array must live as long as the hunt */
    size_t count;
    sampler_process_id
        above; /* the descendants of this process; pid 0: those of asked_for if children, else none */
    bool children;
    bool all;     /* all processes */
    bool threads; /* each thread that has an interpreter, not the first one alone */
} sampler_hunt_wants;

/* Who samples. */
typedef struct sampler_hunter {
    void *context;
    /* Begins to sample. *target: of SAMPLER_FOUND; it must live until sampler_hunt_end(). *why: of all
     * others, valid until the next call. */
    enum sampler_found (*begin)(void *context, const sampler_subject *subject, const sampler_target **target,
                                const char **why);
    /* Called in each look for what cannot be sampled. is_new: it was not known. */
    void (*reject)(void *context, const sampler_subject *subject, enum sampler_found found, const char *why,
                   bool is_new);
} sampler_hunter;

sampler_hunt *sampler_hunt_new(const sampler_hunt_wants *wants, const sampler_hunter *hunter);
void sampler_hunt_free(sampler_hunt *hunt);

/* Looks for what is wanted and not sampled yet. */
void sampler_hunt_look(sampler_hunt *hunt);

/* The target is not sampled any more. */
void sampler_hunt_end(sampler_hunt *hunt, const sampler_target *target);

/* Returns whether a process that was asked for goes on: it may execute a perl. */
bool sampler_hunt_goes_on(const sampler_hunt *hunt);
