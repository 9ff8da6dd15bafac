/* The head of an SV, which all of perl's values begin with: what it is, and where the rest is. */
#pragma once

#include "sampler/perl/interpreter.h"

typedef struct sampler_sv {
    uint64_t body;
    uint64_t u; /* of a string its bytes, of a reference its referent, of an array its elements, ... */
    uint32_t flags;
} sampler_sv;

/* head: sv_size bytes. */
sampler_sv sampler_sv_parse(const sampler_layout *layout, const unsigned char *head);

static inline bool sampler_sv_is(const sampler_layout *layout, const sampler_sv *sv, uint32_t type)
{
    return (sv->flags & layout->sv_type_mask) == type;
}

/* Returns false if the address is 0, or cannot be read. */
bool sampler_sv_read(const sampler_interpreter *i, uint64_t address, sampler_sv *sv);

/* Like sampler_sv_read(), but also returns false if it has another type than this sv_type_*, or no body. */
bool sampler_sv_read_as(const sampler_interpreter *i, uint64_t address, uint32_t type, sampler_sv *sv);
