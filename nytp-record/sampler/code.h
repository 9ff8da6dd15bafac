/* The statements and subs that a snapshot refers to, checked against one another: whether each statement is
 * part of the sub that it is said to run in. The calls were read at once, but what they refer to is
 * read some microseconds later, and what runs just before and after. */
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

/* What is not known has file RECORD_NO_STRING. Takes innermost calls off the snapshot that have ended. false:
 * the snapshot contradicts itself. */
bool record_code_look_up(record_code *code, const record_lookup *at, record_snapshot *snapshot);
void record_code_clear(record_code *code);

#endif
