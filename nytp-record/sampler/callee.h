/* Which xsub a perl executes: it has no context, so the op that calls says it. */
#ifndef RECORD_CALLEE_H
#define RECORD_CALLEE_H

#include "names.h"
#include "optypes.h"
#include "statements.h"

/* Finds xsubs, and keeps what it found. */
typedef struct record_callees record_callees;

/* Keep what they get, which stays the caller's. i: the kept one of record_statements_new(). */
record_callees *record_callees_new(const record_interpreter *i, const record_optypes *types,
                                   nytp_strings *strings);
void record_callees_free(record_callees *callees); /* NULL is fine */

/* The xsub that an entersub op calls by name; RECORD_NO_STRING: no xsub, or called as a method or by
 * reference. within: the code that the op is part of, if that is known: the
 * answer for the same op may be up to a hundred calls old then, and the sub have been defined anew. curpad:
 * the pad of the code that calls; it may be that of a sub that begins if it is not sure, and the answer is
 * not kept then. */
record_label record_callees_find(record_callees *callees, uint64_t op, record_codeid within, uint64_t curpad,
                                 bool sure);

#endif
