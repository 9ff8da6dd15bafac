/* The subs of a perl program, CVs, by their addresses: names and places. What was found is kept;
 * addresses are reused, so it must be checked after perl compiled something, and closures each time. */
#pragma once

#include "sampler/perl/statements.h"

typedef struct sampler_sub {
    uint64_t address;
    sampler_codeid code;
    uint64_t body, start, name_address;
    uint32_t flags;
    uint32_t name; /* number of a string */
    bool utf8;
    uint64_t first;            /* its first statement; 0: not known */
    uint32_t file, first_line; /* where that is; SAMPLER_NO_STRING and 0 when that is not known */
    uint64_t planned;          /* the caller's: the last look-up that had it read */
    uint64_t checked;          /* the caller's: the last look-up that found it unchanged */
} sampler_sub;

typedef struct sampler_subs sampler_subs;

/* They store the pointers: the caller keeps ownership, and what is at them must outlive the table. paged: as
 * of sampler_statements_new(). */
sampler_subs *sampler_subs_new(const sampler_interpreter *i, const sampler_interpreter *paged,
                               const sampler_optypes *types, sampler_statements *statements,
                               nytp_strings *strings);
void sampler_subs_free(sampler_subs *subs);

/* Returns what was found at an address, unchecked, or NULL. Valid until it is forgotten. */
sampler_sub *sampler_subs_known(const sampler_subs *subs, uint64_t address);

/* Whether it is a closure or has no name: it comes and goes, others have the same code, and perl may give it
 * the sequence number of other code. */
bool sampler_subs_is_short_lived(const sampler_subs *subs, const sampler_sub *known);

/* Returns what was learned last about a sub whose code has this root, or NULL. Valid until the next call. */
const sampler_sub *sampler_subs_of_code(const sampler_subs *subs, uint64_t root);

/* Whether the head of a known sub must be read again to see whether it is the same sub. Only closures need
 * that: they have the same code and name, and reuse the bodies of one another. */
bool sampler_subs_needs_head(const sampler_subs *subs, const sampler_sub *known);

/* The sub at an address, whose sv_size bytes are head, or NULL where sampler_subs_needs_head() says no. body:
 * the bytes where the body of the known one was, or NULL. Returns NULL if that is not a sub. Valid until it
 * is forgotten.
 */
const sampler_sub *sampler_subs_at(sampler_subs *subs, uint64_t address, const unsigned char *head,
                                   const unsigned char *body);

/* Whether a sub still begins with this statement. The code of two short-lived subs may have the same root and
 * sequence number, one after the other; their first statements differ. */
bool sampler_subs_begins_with(const sampler_sub *sub, const sampler_statement *first);

/* Returns how many are kept, by address and by code. */
size_t sampler_subs_count(const sampler_subs *subs);

void sampler_subs_forget(sampler_subs *subs, uint64_t address);

/* Forgets what was learned about the code that has this root; subs by address are not forgotten. */
void sampler_subs_forget_code(sampler_subs *subs, uint64_t root);
