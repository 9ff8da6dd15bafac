/* Which processes are sampled, and which of their threads: those that were asked for, and what belongs to
 * them. They are looked for again and again, since programs start others, and execute others. */
#pragma once

#include "sampler/sample/target.h"

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
