/* What one system call reads of a perl that goes on: its variables and its stacks of contexts. */
#pragma once

#include "sampler/perl/stackinfo.h"

enum { SAMPLER_STACKS = 8 /* that are read at once */ };

/* What runs: the op, its statement, the pad of its code, and the end of the stack of values. */
typedef struct sampler_running {
    uint64_t op, curcop, curpad;
    uint64_t stack_sp; /* 0: not known */
    uint64_t callee;   /* the value past that: of an xsub that runs, what was called; 0: not known */
} sampler_running;

/* Where a stack is expected, and which of its contexts are to be read. */
typedef struct sampler_expected {
    uint64_t address, contexts;
    int32_t first, end;
} sampler_expected;

typedef struct sampler_moment {
    sampler_running running;
    uint64_t stackinfo; /* the innermost stack */
} sampler_moment;

typedef struct sampler_reading {
    sampler_moment before, after; /* just before and just after the contexts were read */
    const unsigned char *contexts[SAMPLER_STACKS];
    sampler_stackinfo stacks[SAMPLER_STACKS]; /* read after the contexts */
    uint64_t main_root;
    uint32_t cop_seqmax;
} sampler_reading;

enum sampler_taken {
    SAMPLER_TAKEN,
    SAMPLER_TORN, /* it changed too fast, or makes no sense */
    SAMPLER_GONE, /* not even the variables can be read; errno says why */
};

/* Reads the expected stacks, up to SAMPLER_STACKS of them, outermost first. stack_sp: where the stack of
 * values ended the last time, or 0; if it ends near that, the callee of before is read, too. bytes: room for
 * the contexts, into which the result points. SAMPLER_TORN: they are not there, and nothing but before is
 * set. */
enum sampler_taken sampler_reading_take(sampler_reading *reading, const sampler_interpreter *i,
                                        const sampler_expected *expected, int count, uint64_t stack_sp,
                                        unsigned char *bytes);
