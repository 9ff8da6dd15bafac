/* The statements and subs that a snapshot refers to, checked against one another: whether each statement is
 * part of the sub that it is said to run in. The statement that runs was read just before the calls, and what
 * the calls refer to some microseconds later. */
#pragma once

#include "sampler/sample/fit.h"

typedef struct sampler_consistency {
    sampler_calls calls;
    sampler_statement current;
    sampler_running running;  /* the op is 0 where it is not known */
    uint32_t op_type;         /* of the op that runs; SAMPLER_ABSENT: not known */
    sampler_codeid op_within; /* the sub's code that the op is part of; root 0: not known */
    sampler_prefetch bytes;
} sampler_consistency;

/* What is not known has file SAMPLER_NO_STRING. Makes the calls of the snapshot those of the moment when the
 * statement that runs was read: takes some off, and adds some. Returns false if the snapshot contradicts
 * itself.
 */
bool sampler_consistency_look_up(sampler_consistency *code, const sampler_lookup *at,
                                 sampler_snapshot *snapshot);
void sampler_consistency_clear(sampler_consistency *code);
