/* Loops: how often a program went on at the same or an earlier line.
 *
 *     TIME of the last statement of the loop's body
 *     DISCOUNT, TIME of what perl does until the next one begins
 *     TIME of the first statement of the body
 *
 * A DISCOUNT that follows no return says that a block has ended. If a statement of the same call at the same
 * or an earlier line is next, that is a turn of a loop. Which sub the lines are of is not looked at: lines of
 * two subs are none. Where several blocks are on one line, the end of any of them, with a statement after it,
 * looks as a turn. */
#pragma once

#include "format/runs.h"
#include "format/statement.h"
#include "model/records.h"
#include "nytprof-model.h"

/* Turns from a line to a line; the first three members are the key. */
typedef struct nytp_turn {
    uint32_t fid, from, to;
    uint64_t count;
} nytp_turn;

typedef struct nytp_turns {
    nytp_records all; /* nytp_turn */
    uint32_t last;    /* the number of the one that was counted last; it may not be there */
    nytp_place at;    /* of the last statement */
    nytp_place from;  /* where a block has ended */
    nytp_place to;    /* where the program went on after that */
    bool is_due;      /* no statement has begun since the block ended */
    bool goes_on;     /* the one that did was in a call, made by the loop's condition */
} nytp_turns;

nytp_turns nytp_turns_new(void);
void nytp_turns_clear(nytp_turns *turns);

/* A process begins. */
void nytp_turns_reset(nytp_turns *turns);

/* Use nytp_turns_add(). The statement begins after the end of a block. */
void nytp_turns_end_block(nytp_turns *turns, const nytp_statement *statement);

/* A perl sub has returned; lines: its own, or fid 0. */
void nytp_turns_return(nytp_turns *turns, const nytp_range *lines);

/* A statement has ended. after_return: it goes on after a call of perl code, which it made. */
static inline void nytp_turns_add(nytp_turns *turns, const nytp_statement *statement, bool after_return)
{
    if (statement->executions > 0) {
        if (turns->is_due)
            nytp_turns_end_block(turns, statement);
    } else if (after_return) {
        turns->is_due = turns->goes_on;
        turns->goes_on = false;
    } else if (!turns->is_due) {
        turns->is_due = true;
        turns->from = turns->at;
    }
    turns->at = (nytp_place){statement->fid, statement->line};
}
