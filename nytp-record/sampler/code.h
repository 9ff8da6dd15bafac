/* The statements and subs that a snapshot refers to, looked up in few system calls, and checked against one
 * another: whether each statement is part of the sub that it is said to run in. */
#ifndef RECORD_CODE_H
#define RECORD_CODE_H

#include "snapshot.h"
#include "subs.h"

/* Where what was read of a call is; NULL: nothing had to be. */
typedef struct record_place {
    unsigned char *cop, *head, *body;
} record_place;

typedef struct record_code {
    record_statement *callers; /* for each call: the statement that called */
    record_sub *subs;          /* for each call: the sub; its address is 0 where there is none */
    record_statement current;
    uint32_t op_type; /* of the op that runs; RECORD_ABSENT: it cannot be read */
    size_t room;
    uint64_t turn; /* which look-up this is */
    record_place *places;
    unsigned char *bytes;
    size_t bytes_room;
    record_piece *pieces;
} record_code;

/* What is not known has file RECORD_NO_STRING. Takes an innermost call off the snapshot that has hardly
 * begun. false: the snapshot contradicts itself. */
bool record_code_look_up(record_code *code, const record_interpreter *i, const record_optypes *types,
                         record_statements *statements, record_subs *subs, record_snapshot *snapshot);
void record_code_clear(record_code *code);

#endif
