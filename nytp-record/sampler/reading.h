/* What one system call reads of a perl that goes on: its variables and its stacks of contexts. */
#ifndef RECORD_READING_H
#define RECORD_READING_H

#include "stackinfo.h"

enum {
    RECORD_STACKS = 8,            /* that are read at once */
    RECORD_MOST_CONTEXTS = 16384, /* of one stack that are read; outer ones are left out */
};

/* The first one of its contexts that is read if this is the last one. */
static inline int32_t record_first_wanted(int32_t last)
{
    return last + 1 > RECORD_MOST_CONTEXTS ? last + 1 - RECORD_MOST_CONTEXTS : 0;
}

/* What runs: the op, its statement, and the pad of its code. */
typedef struct record_running {
    uint64_t op, curcop, curpad;
} record_running;

/* Where a stack is expected, and which of its contexts are to be read. */
typedef struct record_expected {
    uint64_t address, contexts;
    int32_t first, end;
} record_expected;

typedef struct record_moment {
    record_running running;
    uint64_t stackinfo; /* the innermost stack */
} record_moment;

typedef struct record_reading {
    record_moment before, after; /* just before and just after the contexts were read */
    const unsigned char *contexts[RECORD_STACKS];
    record_stackinfo stacks[RECORD_STACKS]; /* read after the contexts */
    uint64_t main_root;
    uint32_t cop_seqmax;
} record_reading;

enum record_taken {
    RECORD_TAKEN,
    RECORD_TORN, /* it changed too fast, or makes no sense */
    RECORD_GONE, /* not even the variables can be read; errno says why */
};

/* Reads the expected stacks, up to RECORD_STACKS of them, outermost first. bytes: room for their contexts,
 * into which the result points. RECORD_TORN: they are not there, and nothing but before is set. */
enum record_taken record_reading_take(record_reading *reading, const record_interpreter *i,
                                      const record_expected *expected, int count, unsigned char *bytes);

#endif
