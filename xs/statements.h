/* Statements: the op nextstate, and the ops after which a statement continues that a block or call has
 * interrupted. */
#ifndef PROF_STATEMENTS_H
#define PROF_STATEMENTS_H

#include "prof.h"

typedef struct prof_statements {
    int64_t start_ticks;  /* active time at the start of the statement that runs */
    int64_t paused_ticks; /* how long it had run when profiling was disabled */
    bool paused;          /* profiling was disabled while it ran */
    uint8_t time_tag;     /* NYTP_TIME_LINE or _BLOCK */
} prof_statements;

void prof_statements_init(prof *p);

/* Ends the statement that runs, and begins that of PL_curcop. Ends the probe interval that began at now. */
void prof_statement(pTHX_ prof *p, uint64_t now);

/* The same, for DB::DB with use_db_sub=1. */
void prof_statement_of_debugger(pTHX);

/* Ends the statement that runs, and begins none. */
void prof_statement_end(prof *p, uint64_t now);

/* Drops the statement that runs without writing it. */
void prof_statement_drop(prof *p);

/* Restarts the time of the statement that runs. */
void prof_statement_restart(prof *p, uint64_t now);

/* Call them when profiling is disabled, and when it is enabled again: the interrupted statement then ends,
 * and the one that enables profiling begins. */
void prof_statement_pause(prof *p, uint64_t now);
void prof_statement_resume(pTHX_ prof *p, uint64_t now);

/* Call it after the option blocks or stmts has changed. */
void prof_statement_retag(prof *p);

/* Ends the statement that runs. Continues that of PL_curcop, which is not counted again. */
void prof_leave_statement(pTHX_ prof *p);

/* Call it when perl returns to a program that embeds it (host.h): the time until the next call belongs to no
 * statement. */
void prof_leave_perl(pTHX_ prof *p);

/* Replaces the ops that begin a statement. */
void prof_replace_statements(void);

/* Replaces the ops that leave a statement. */
void prof_replace_leaves(void);

/* Replaces LEAVEWRITE, too. Not for slowops > 0, which makes it a built-in that is recorded as a sub. */
void prof_replace_leavewrite(void);

#endif
