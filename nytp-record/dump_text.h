/* A stack of a process as text or JSON. */
#pragma once

#include "dump.h"
#include "sampler/sampler.h"

#include <stdio.h>

/* Reads the arguments of calls from the process if they are wanted. */
void record_dump_print(FILE *to, const record_dump_options *options, const sampler_target *target,
                       const sampler_stack *stack);
