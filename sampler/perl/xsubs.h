/* Which xsub a perl executes: it has no context, so the op that calls says it. */
#ifndef SAMPLER_PERL_XSUBS_H
#define SAMPLER_PERL_XSUBS_H

#include "sampler/perl/names.h"
#include "sampler/perl/optypes.h"
#include "sampler/perl/statements.h"

/* Finds xsubs, and keeps what it found. */
typedef struct sampler_xsubs sampler_xsubs;

/* Keep what they get, which stays the caller's. i: the paged one of sampler_statements_new(). */
sampler_xsubs *sampler_xsubs_new(const sampler_interpreter *i, const sampler_optypes *types,
                                 nytp_strings *strings);
void sampler_xsubs_free(sampler_xsubs *callees); /* NULL is fine */

/* The xsub that an entersub op calls by name; SAMPLER_NO_STRING: no xsub, or called as a method or by
 * reference. within: the code that the op is part of, if that is known: the
 * answer for the same op may be up to a hundred calls old then, and the sub have been defined anew. curpad:
 * the pad of the code that calls; it may be that of a sub that begins if it is not sure, and the answer is
 * not kept then. */
sampler_label sampler_xsubs_find(sampler_xsubs *callees, uint64_t op, sampler_codeid within, uint64_t curpad,
                                 bool sure);

#endif
