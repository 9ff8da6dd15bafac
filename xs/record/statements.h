/* Statements, and the ops that begin them. */
#pragma once

#include "prof.h"

#include "state/probe.h"

typedef struct prof_statements {
    int64_t start_ticks;  /* active time at the start of the statement that runs */
    int64_t paused_ticks; /* how long it had run when profiling was disabled */
    bool paused;          /* profiling was disabled while it ran */
    uint8_t time_tag;     /* NYTP_TIME_LINE or _BLOCK */
} prof_statements;

void prof_statements_init(prof *p);

/* Ends the statement that runs, and begins that of PL_curcop. Ends the probe interval that began at now. */
void prof_statement(pTHX_ prof *p, uint64_t now);

/* prof_statement() at active_ticks, for an interval of that kind. discount: the next statement was counted
 * before. Hot code uses prof_try_statement() (hot.h) first. */
void prof_statement_next(pTHX_ prof *p, uint64_t now, int64_t active_ticks, bool discount,
                         prof_probe_kind kind);

/* For statements during which perl's C code continues, after a DESTROY or before END blocks: stock records no
 * block for them, and profiles must be comparable. */
void prof_statement_leave_to_c(pTHX_ prof *p);

/* prof_statement() for DB::DB with use_db_sub=1. */
void prof_statement_of_debugger(pTHX);

/* Writes the time of the statement that runs, so far, if statements are recorded. It goes on. */
void prof_statement_write_part(prof *p, int64_t active_ticks);

/* Ends the statement that runs, and begins none. */
void prof_statement_end(prof *p, uint64_t now);

/* Drops the statement that runs without writing it. */
void prof_statement_drop(prof *p);

/* Restarts the time of the statement that runs. */
void prof_statement_restart(prof *p, uint64_t now);

/* The statement that runs goes on in the output of a forked child: the parent's counts it. */
void prof_statement_go_on(prof *p);

/* Call them when profiling is disabled, and when it is enabled again: the interrupted statement then ends,
 * and the one that enables profiling begins. */
void prof_statement_pause(prof *p, uint64_t now);
void prof_statement_resume(pTHX_ prof *p, uint64_t now);

/* Call it after the option blocks or stmts has changed. */
void prof_statement_retag(prof *p);

/* Ends the statement that runs. Continues that of PL_curcop, which is not counted again. */
void prof_leave_statement(pTHX_ prof *p);

/* For programs that embed perl, as servers and editors do. Searches all contexts up to cxix on the current
 * context stack, and those below. Use prof_is_called_by_host(). */
bool prof_has_only_host_evals(pTHX_ I32 cxix);

/* Returns whether perl was not called by perl_run() but by a program that embeds it, and that does other
 * things between its calls. cxix: the innermost context to look at, on the current context stack. */
static inline bool prof_is_called_by_host(pTHX_ I32 cxix)
{
    return UNLIKELY(cxix < 0 || CxTYPE(&cxstack[cxix]) == CXt_EVAL) && prof_has_only_host_evals(aTHX_ cxix);
}

/* Call it when perl returns to a program that embeds it: the time until the next call belongs to no
 * statement. */
void prof_leave_perl(pTHX_ prof *p);

/* Slow path of the handlers of ops that begin a statement: begins it after the op. Returns next, the op after
 * it. */
OP *prof_begin_statement(pTHX_ OP *next);

/* The handler of NEXTSTATE. */
OP *prof_handle_nextstate(pTHX);

/* Replaces the ops that begin a statement. */
void prof_replace_statements(void);
