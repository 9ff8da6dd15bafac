/* Statements: nextstate, and the ops after which a statement goes on that was interrupted by a block or a
 * call. */
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
void prof_statements_clear(prof_statements *statements);

/* Ends the statement that runs, and begins that of PL_curcop. Ends the probe interval that began at now. */
void prof_statement(pTHX_ prof *p, uint64_t now);
/* DB::DB with use_db_sub=1. */
void prof_statement_of_debugger(pTHX);

/* Ends the statement that runs, and begins none. */
void prof_statement_end(prof *p, uint64_t now);
/* Drops the statement that runs without writing it. */
void prof_statement_drop(prof *p);
/* The time of the statement that runs begins anew at now. */
void prof_statement_restart(prof *p, uint64_t now);

/* Profiling is disabled and enabled again: the statement that was interrupted ends, and the one that enables
 * begins. */
void prof_statement_pause(prof *p, uint64_t now);
void prof_statement_resume(pTHX_ prof *p, uint64_t now);

/* After the option blocks or stmts has changed. */
void prof_statement_retag(prof *p);

/* Ends the statement that runs. Time goes on with the statement of PL_curcop, which is not counted again. */
void prof_leave_statement(pTHX_ prof *p);

/* Whether perl was called by a program that embeds it and does other things between its calls, instead of by
 * perl_run(). cxix: the innermost context to look at, on the current context stack. */
bool prof_is_called_by_host(pTHX_ I32 cxix);
/* Perl returns to that program: what runs until the next call is not a statement's time. */
void prof_leave_perl(pTHX_ prof *p);

/* Replaces the ops of statements. */
void prof_replace_statements(void);
/* Replaces the ops that leave a statement. */
void prof_replace_leaves(void);
/* Replaces LEAVEWRITE as one of those, unless it is a built-in that is recorded as a sub. */
void prof_replace_leavewrite(void);

#endif
