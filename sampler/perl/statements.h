/* The statements of a perl program, COPs, by their addresses: file, line, package, and the op tree that each
 * is part of. What was found is kept; addresses are reused, so it must be checked after perl compiled
 * something. */
#pragma once

#include "base/stringtable.h"
#include "sampler/perl/optypes.h"

#include <glib.h>
#include <stdbool.h>

#define SAMPLER_NO_STRING UINT32_MAX

/* A name, and whether it is UTF-8. */
typedef struct sampler_label {
    uint32_t name; /* may be SAMPLER_NO_STRING */
    bool utf8;
} sampler_label;

/* The number of a string, which is added if it is new. Ends the program when out of memory. */
static inline uint32_t sampler_intern(nytp_strings *strings, const char *bytes, size_t length)
{
    int64_t number = nytp_strings_intern(strings, bytes, length);
    if (number < 0)
        g_error("out of memory");
    return (uint32_t)number;
}

/* Tells the code of one sub from all others, also from those that were at the same address before: perl gives
 * each sub that it compiles another sequence number. */
typedef struct sampler_codeid {
    uint64_t root; /* the topmost op of its tree; 0: none */
    uint32_t sequence;
} sampler_codeid;

static inline bool sampler_codeid_is(sampler_codeid a, sampler_codeid b)
{
    return a.root == b.root && a.sequence == b.sequence;
}

typedef struct sampler_statement {
    uint64_t address;
    uint64_t root;         /* the topmost op of its tree; 0: not known */
    uint64_t file_address; /* what perl has: a string, or a glob without threads */
    uint64_t stash;        /* a stash, or with threads an index of stashes */
    uint32_t sequence;     /* perl gives each statement that it compiles another one */
    uint32_t line;
    uint32_t file;         /* number of a string */
    sampler_label package; /* has no name until it is asked for */
    sampler_codeid within; /* the caller's: the sub's code that it was found in last */
    uint64_t planned;      /* the caller's: the last look-up that had it read */
    uint64_t checked;      /* the caller's: the last look-up that found it unchanged */
} sampler_statement;

typedef struct sampler_statements sampler_statements;

/* They store the pointers: the caller keeps ownership, and what is at them must outlive the table. paged: the
 * same interpreter, whose memory is read through pages that the caller forgets before each look-up. */
sampler_statements *sampler_statements_new(const sampler_interpreter *i, const sampler_interpreter *paged,
                                           const sampler_optypes *types, nytp_strings *strings);
void sampler_statements_free(sampler_statements *statements);

/* Returns what was found at an address, unchecked, or NULL. Valid until it is forgotten. */
sampler_statement *sampler_statements_known(sampler_statements *statements, uint64_t address);

/* The statement at an address, whose cop_size bytes the caller has read just then. Returns NULL if that is
 * not a statement. Valid until the next call. */
const sampler_statement *sampler_statements_at(sampler_statements *statements, uint64_t address,
                                               const unsigned char *cop);

/* Like sampler_statements_at(), but reads the bytes. */
const sampler_statement *sampler_statements_read(sampler_statements *statements, uint64_t address);

/* Returns its package; without a name if that is not known. */
sampler_label sampler_statements_package(sampler_statements *statements, const sampler_statement *statement);

/* Returns how many are kept. */
size_t sampler_statements_count(const sampler_statements *statements);

/* Forgets one that contradicts others. */
void sampler_statements_forget(sampler_statements *statements, uint64_t address);
