/* A memory that reads another one up to a limit, and then nothing more until it is renewed. What a process
 * has in its memory decides how much a look at it reads, and it may be anything. */
#pragma once

#include "sampler/process/remote.h"

typedef struct sampler_budget {
    sampler_memory memory;
    uint64_t pieces_left, bytes_left;
    bool exceeded; /* something was not read */
} sampler_budget;

void sampler_budget_renew(sampler_budget *budget, uint64_t pieces, uint64_t bytes);

/* Returns the memory that the budget limits; budget must live as long. */
sampler_memory sampler_budget_memory(sampler_budget *budget);
