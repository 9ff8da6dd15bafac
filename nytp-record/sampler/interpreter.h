/* The perl interpreter in a process: where its variables are, and which layout its structures have. */
#ifndef RECORD_INTERPRETER_H
#define RECORD_INTERPRETER_H

#include "memory.h"

/* The addresses of variables. */
typedef struct record_variables {
    uint64_t op, curcop, curstackinfo, curpad, defstash, main_cv, main_root;
    uint64_t stashpad, stashpadmax; /* 0 without threads */
    uint64_t origfilename, perldb, cop_seqmax, phase;
} record_variables;

typedef struct record_interpreter {
    record_memory memory;
    record_layout layout;
    record_variables at;
    uint64_t op_names; /* PL_op_name: an array of pointers */
    uint64_t address;  /* of the struct interpreter; 0 without MULTIPLICITY */
} record_interpreter;

enum record_found {
    RECORD_FOUND,
    RECORD_NOT_PERL,     /* no object of the process exports what perl does */
    RECORD_NOT_STARTED,  /* a perl without an interpreter, for the moment or for good */
    RECORD_NO_LAYOUT,    /* a perl that no table fits */
    RECORD_NOT_READABLE, /* errno says why */
    RECORD_NOT_RECORDED, /* a perl whose profile cannot be written, or that another program traces */
};

/* What perl a process runs, for messages. */
typedef struct record_identity {
    bool other_width; /* the program has no pointers of 8 bytes, and cannot be read */
    char version[24], options[sizeof((record_layout *)0)->options];
} record_identity;

/* Finds the interpreter of a process and checks it. *pid must live as long as the interpreter. offsets: a
 * table, or a directory of them. *identity says what perl it is from RECORD_NO_LAYOUT on, and if it was
 * found. */
enum record_found record_interpreter_find(record_interpreter *interpreter, const pid_t *pid,
                                          const char *offsets, record_identity *identity);

/* Whether the variables still look as those of a perl do. */
bool record_interpreter_verify(const record_interpreter *interpreter);

#endif
