/* The statements and subs that a snapshot refers to, checked against one another: whether each statement is
 * part of the sub that it is said to run in. The statement that runs was read just before the calls, and what
 * the calls refer to some microseconds later. */
#ifndef RECORD_CODE_H
#define RECORD_CODE_H

#include "calls.h"

typedef struct record_code {
    record_calls calls;
    record_statement current;
    record_running running;  /* the op is 0 where it is not known */
    uint32_t op_type;        /* of the op that runs; RECORD_ABSENT: not known */
    record_codeid op_within; /* the sub's code that the op is part of; root 0: not known */
    record_codebytes bytes;
} record_code;

/* What is not known has file RECORD_NO_STRING. Makes the calls of the snapshot those of the moment when the
 * statement that runs was read: takes some off, and adds some. false: the snapshot contradicts itself. */
bool record_code_look_up(record_code *code, const record_lookup *at, record_snapshot *snapshot);
void record_code_clear(record_code *code);

#endif
