/* The statements of a perl program, COPs, by their addresses: file, line, package, and the op tree that each
 * is part of. What was found is kept; addresses are reused, so it must be checked after perl compiled
 * something. */
#ifndef RECORD_STATEMENTS_H
#define RECORD_STATEMENTS_H

#include "optypes.h"
#include "strings.h"

/* Tells the code of one sub from all others, also from those that were at the same address before: perl gives
 * each sub that it compiles another sequence number. */
typedef struct record_codeid {
    uint64_t root; /* the topmost op of its tree; 0: none */
    uint32_t sequence;
} record_codeid;

static inline bool record_codeid_is(record_codeid a, record_codeid b)
{
    return a.root == b.root && a.sequence == b.sequence;
}

typedef struct record_statement {
    uint64_t address;
    uint64_t root;         /* the topmost op of its tree; 0: not known */
    uint64_t file_address; /* what perl has: a string, or a glob without threads */
    uint64_t stash;        /* a stash, or with threads an index of stashes */
    uint32_t sequence;     /* perl gives each statement that it compiles another one */
    uint32_t line;
    uint32_t file;        /* number of a string */
    record_label package; /* has no name until it is asked for */
    record_codeid within; /* the caller's: the sub's code that it was found in last */
    uint64_t planned;     /* the caller's: the last look-up that had it read */
    uint64_t checked;     /* the caller's: the last look-up that found it unchanged */
} record_statement;

typedef struct record_statements record_statements;

/* Keep what they get, which stays the caller's. kept: the same interpreter, whose memory is read through
 * pages that the caller forgets before each look-up. */
record_statements *record_statements_new(const record_interpreter *i, const record_interpreter *kept,
                                         const record_optypes *types, nytp_strings *strings);
void record_statements_free(record_statements *statements);

/* What was found at an address, and is not checked. NULL: nothing. Valid until it is forgotten. */
record_statement *record_statements_known(record_statements *statements, uint64_t address);

/* The statement at an address, whose cop_size bytes the caller has read just then. NULL: that is none. Valid
 * until the next call. */
const record_statement *record_statements_at(record_statements *statements, uint64_t address,
                                             const unsigned char *cop);

/* The same, which it reads. */
const record_statement *record_statements_read(record_statements *statements, uint64_t address);

/* Returns its package; without a name if that is not known. */
record_label record_statements_package(record_statements *statements, const record_statement *statement);

/* Returns how many are kept. */
size_t record_statements_count(const record_statements *statements);

/* Forgets one that contradicts others. */
void record_statements_forget(record_statements *statements, uint64_t address);

#endif
