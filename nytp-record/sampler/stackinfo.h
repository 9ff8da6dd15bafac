/* One of perl's stacks: struct stackinfo. A program has one, and another one within it for each sort, tie,
 * overloaded operator, destructor and the like that is going on. */
#ifndef RECORD_STACKINFO_H
#define RECORD_STACKINFO_H

#include "interpreter.h"

typedef struct record_stackinfo {
    uint64_t contexts, previous; /* its array of contexts; the stack around it, 0: none */
    uint64_t arguments;          /* the AV of its stack of values */
    int32_t at, most; /* the index of the innermost context, -1: none; and the last one there is room for */
    int32_t type;     /* PERLSI_* */
} record_stackinfo;

/* bytes: si_size of them. */
record_stackinfo record_stackinfo_parse(const record_layout *layout, const unsigned char *bytes);

/* false: it cannot be read. */
bool record_stackinfo_read(const record_interpreter *i, uint64_t address, record_stackinfo *stack);

/* Whether its numbers can be those of a stack. */
bool record_stackinfo_is_possible(const record_stackinfo *stack);

#endif
