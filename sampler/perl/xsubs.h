/* Which xsub a perl executes: it has no context, so the op that calls says it, or the stack of values. */
#pragma once

#include "sampler/perl/interpreter.h"
#include "sampler/perl/optypes.h"
#include "sampler/perl/statements.h"

/* Finds xsubs, and keeps what it found. */
typedef struct sampler_xsubs sampler_xsubs;

/* Keep what they get, which stays the caller's. i: the paged one of sampler_statements_new(). */
sampler_xsubs *sampler_xsubs_new(const sampler_interpreter *i, const sampler_optypes *types,
                                 nytp_strings *strings);
void sampler_xsubs_free(sampler_xsubs *callees); /* NULL is fine */

/* An entersub op that runs. */
typedef struct sampler_calling {
    uint64_t op;
    uint64_t
        curpad; /* the pad of the code that calls; if it is not sure, it may be that of a sub that begins */
    uint64_t above; /* the value past the end of the stack of values, or 0. Perl takes from there what it
                     * calls, and the xsub may put something else there. */
    bool is_sure;
} sampler_calling;

/* The xsub that an entersub op calls. SAMPLER_NO_STRING: no xsub, or it is not sure which one. within: the
 * code that the op is part of, if that is known: the answer for the same op may be up to a hundred calls old
 * then, and the sub have been defined anew. */
sampler_label sampler_xsubs_find(sampler_xsubs *callees, sampler_calling calling, sampler_codeid within);
