/* The subs of a perl program, CVs, by their addresses: names and places. What was found is kept, and checked
 * each time: addresses are reused. */
#ifndef RECORD_SUBS_H
#define RECORD_SUBS_H

#include "statements.h"

typedef struct record_sub {
    uint64_t address, root; /* root: the topmost op of its tree */
    uint64_t body, start, name_address;
    uint32_t sequence, flags;
    uint32_t name; /* number of a string */
    bool utf8;
    uint32_t file,
        first_line;   /* where its first statement is; RECORD_NO_STRING and 0 when that is not known */
    uint64_t checked; /* the caller's: which of its look-ups found it unchanged last */
} record_sub;

typedef struct record_subs record_subs;

/* Keep what they get, which stays the caller's. kept: as of record_statements_new(). */
record_subs *record_subs_new(const record_interpreter *i, const record_interpreter *kept,
                             const record_optypes *types, record_statements *statements,
                             nytp_strings *strings);
void record_subs_free(record_subs *subs);

/* What was found at an address, and is not checked. NULL: nothing. Valid until it is forgotten. */
record_sub *record_subs_known(const record_subs *subs, uint64_t address);

/* The sub at an address, whose sv_size bytes are head, and body those where the body of the known one was, or
 * NULL. NULL: that is not a sub. Valid until it is forgotten. */
const record_sub *record_subs_at(record_subs *subs, uint64_t address, const unsigned char *head,
                                 const unsigned char *body);

void record_subs_forget(record_subs *subs, uint64_t address);

#endif
