/* The perl interpreter in a process: where its variables are, and which layout its structures have. */
#pragma once

#include "sampler/perl/layouts.h"
#include "sampler/process/remote.h"
#include "sampler/process/symbols.h"

#include <stdint.h>
#include <string.h>

#define SAMPLER_DEFINE_READ(name, type)                                                                      \
    static inline type name(const void *at)                                                                  \
    {                                                                                                        \
        type value;                                                                                          \
        memcpy(&value, at, sizeof value);                                                                    \
        return value;                                                                                        \
    }
SAMPLER_DEFINE_READ(sampler_u16, uint16_t)
SAMPLER_DEFINE_READ(sampler_u32, uint32_t)
SAMPLER_DEFINE_READ(sampler_i32, int32_t)
SAMPLER_DEFINE_READ(sampler_u64, uint64_t)

/* The addresses of variables. */
typedef struct sampler_variables {
    uint64_t op, curcop, curstackinfo, curpad, defstash, main_cv, main_root;
    uint64_t stashpad, stashpadmax; /* 0 without threads */
    uint64_t origfilename, perldb, cop_seqmax, phase;
    uint64_t stack_sp, sv_count, basetime, top_env; /* 0 if the table lacks them */
} sampler_variables;

typedef struct sampler_interpreter {
    sampler_memory memory;
    sampler_layout layout;
    sampler_variables at;
    uint64_t op_names; /* PL_op_name: an array of pointers */
    uint64_t environ;  /* the variable of libc; 0: not found */
    uint64_t address;  /* of the struct interpreter; 0 without MULTIPLICITY */
} sampler_interpreter;

enum sampler_found {
    SAMPLER_FOUND,
    SAMPLER_NOT_PERL,     /* no object of the process exports what perl does */
    SAMPLER_NOT_STARTED,  /* a perl without an interpreter, for the moment or for good */
    SAMPLER_NO_LAYOUT,    /* a perl that no table fits */
    SAMPLER_ENDED,        /* there is no such process any more, or it is about to end */
    SAMPLER_NOT_READABLE, /* errno says why */
    SAMPLER_NOT_RECORDED, /* a perl whose profile cannot be written, or that another program traces */
};

/* Finds the interpreter of a process and checks it. *pid must live as long as the interpreter. offsets: a
 * table, or a directory of them. *identity says what perl it is from SAMPLER_NO_LAYOUT on, and if it was
 * found. *pthreads: where its threads and their interpreters are. */
enum sampler_found sampler_interpreter_find(sampler_interpreter *interpreter, const pid_t *pid,
                                            const char *offsets, sampler_identity *identity,
                                            sampler_pthreads *pthreads);

/* Goes over to another interpreter of the process, that of a thread. Returns false if there is none at the
 * address. */
bool sampler_interpreter_move(sampler_interpreter *interpreter, uint64_t address);

/* Whether the variables still look as those of a perl do. */
bool sampler_interpreter_verify(const sampler_interpreter *interpreter);

typedef struct sampler_sv {
    uint64_t body;
    uint64_t u; /* of a string its bytes, of a reference its referent, of an array its elements, ... */
    uint32_t flags;
} sampler_sv;

/* head: sv_size bytes. */
sampler_sv sampler_sv_parse(const sampler_layout *layout, const unsigned char *head);

static inline bool sampler_sv_is(const sampler_layout *layout, const sampler_sv *sv, uint32_t type)
{
    return (sv->flags & layout->sv_type_mask) == type;
}

/* Returns false if the address is 0, or cannot be read. */
bool sampler_sv_read(const sampler_interpreter *i, uint64_t address, sampler_sv *sv);

/* Like sampler_sv_read(), but also returns false if it has another type than this sv_type_*, or no body. */
bool sampler_sv_read_as(const sampler_interpreter *i, uint64_t address, uint32_t type, sampler_sv *sv);

/* A longer name is cut. One part of a name that is longer by itself is not taken for a name. */
enum { SAMPLER_NAME_ROOM = 4096 };

typedef struct sampler_name {
    size_t length;
    bool utf8;
    char bytes[SAMPLER_NAME_ROOM];
} sampler_name;

/* Append to a name. Return false, and leave *name as it was, if what is there is not a name. */
bool sampler_name_add_hek(const sampler_interpreter *i, sampler_name *name, uint64_t hek);
bool sampler_name_add_stash(const sampler_interpreter *i, sampler_name *name, uint64_t stash);
bool sampler_name_add_gv(const sampler_interpreter *i, sampler_name *name,
                         uint64_t gv); /* with its package */
void sampler_name_add(sampler_name *name, const char *bytes, size_t length, bool utf8);
void sampler_name_add_text(sampler_name *name, const char *text);

/* Whether a stash has that name. */
bool sampler_name_stash_is(const sampler_interpreter *i, uint64_t stash, const char *text);

/* One of perl's stacks: struct stackinfo. A program has one, and another one within it for each sort, tie,
 * overloaded operator, destructor and the like that is going on. */

typedef struct sampler_stackinfo {
    uint64_t contexts, previous; /* its array of contexts; the stack around it, 0: none */
    uint64_t arguments;          /* the AV of its stack of values */
    int32_t at, most; /* the index of the innermost context, -1: none; and the last one there is room for */
    int32_t type;     /* PERLSI_* */
} sampler_stackinfo;

/* bytes: si_size of them. */
sampler_stackinfo sampler_stackinfo_parse(const sampler_layout *layout, const unsigned char *bytes);

/* Returns false if it cannot be read. */
bool sampler_stackinfo_read(const sampler_interpreter *i, uint64_t address, sampler_stackinfo *stack);

/* Whether its numbers can be those of a stack. */
bool sampler_stackinfo_is_possible(const sampler_stackinfo *stack);
