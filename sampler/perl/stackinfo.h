/* One of perl's stacks: struct stackinfo. A program has one, and another one within it for each sort, tie,
 * overloaded operator, destructor and the like that is going on. */
#pragma once

#include "sampler/perl/interpreter.h"

typedef struct sampler_stackinfo {
    uint64_t contexts, previous; /* its array of contexts; the stack around it, 0: none */
    uint64_t arguments;          /* the AV of its stack of values */
    int32_t at, most; /* the index of the innermost context, -1: none; and the last one there is room for */
    int32_t type;     /* PERLSI_* */
} sampler_stackinfo;

/* bytes: si_size of them. */
sampler_stackinfo sampler_stackinfo_parse(const sampler_layout *layout, const unsigned char *bytes);

/* Returns false if it cannot be read. */
bool sampler_stackinfo_read(const sampler_interpreter *i, uint64_t address, sampler_stackinfo *stack);

/* Whether its numbers can be those of a stack. */
bool sampler_stackinfo_is_possible(const sampler_stackinfo *stack);
