/* The subs of a perl program, CVs, by their addresses: names and places. What was found is kept;
 * addresses are reused, so it must be checked after perl compiled something, and closures each time. */
#ifndef RECORD_SUBS_H
#define RECORD_SUBS_H

#include "statements.h"

typedef struct record_sub {
    uint64_t address;
    record_codeid code;
    uint64_t body, start, name_address;
    uint32_t flags;
    uint32_t name; /* number of a string */
    bool utf8;
    uint64_t first;            /* its first statement; 0: not known */
    uint32_t file, first_line; /* where that is; RECORD_NO_STRING and 0 when that is not known */
    uint64_t planned;          /* the caller's: the last look-up that had it read */
    uint64_t checked;          /* the caller's: the last look-up that found it unchanged */
} record_sub;

typedef struct record_subs record_subs;

/* Keep what they get, which stays the caller's. kept: as of record_statements_new(). */
record_subs *record_subs_new(const record_interpreter *i, const record_interpreter *kept,
                             const record_optypes *types, record_statements *statements,
                             nytp_strings *strings);
void record_subs_free(record_subs *subs);

/* What was found at an address, and is not checked. NULL: nothing. Valid until it is forgotten. */
record_sub *record_subs_known(const record_subs *subs, uint64_t address);

/* Whether it is a closure or has no name: it comes and goes, others have the same code, and perl may give it
 * the sequence number of other code. */
bool record_subs_is_passing(const record_subs *subs, const record_sub *known);

/* What was learned last about a sub whose code has this root. NULL: nothing. Valid until the next call. */
const record_sub *record_subs_of_code(const record_subs *subs, uint64_t root);

/* Whether the head of a known sub must be read again to see whether it is the same sub. Only closures need
 * that: they have the same code and name, and reuse the bodies of one another. */
bool record_subs_needs_head(const record_subs *subs, const record_sub *known);

/* The sub at an address, whose sv_size bytes are head, or NULL where record_subs_needs_head() says no. body:
 * the bytes where the body of the known one was, or NULL. NULL: that is not a sub. Valid until it is
 * forgotten.
 */
const record_sub *record_subs_at(record_subs *subs, uint64_t address, const unsigned char *head,
                                 const unsigned char *body);

/* Whether a sub still begins with this statement. The code of two passing subs may have the same root and
 * sequence number, one after the other; their first statements differ. */
bool record_subs_begins_with(const record_sub *sub, const record_statement *first);

/* Returns how many are kept, by address and by code. */
size_t record_subs_count(const record_subs *subs);

void record_subs_forget(record_subs *subs, uint64_t address);

/* Forgets what was learned about the code that has this root; subs by address are not forgotten. */
void record_subs_forget_code(record_subs *subs, uint64_t root);

#endif
