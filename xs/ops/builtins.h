/* Built-ins that are recorded as subs (slowops=), and accept(). */
#pragma once

#include "prof.h"

/* Replaces the ops of all these built-ins, except accept() and syscall(). */
void prof_replace_builtins(void);

/* Replaces ACCEPT, even with slowops=0: no statement is charged with waiting for the next connection. */
void prof_replace_accept(void);

/* Replaces REQUIRE and DOFILE, for slowops=3. */
void prof_replace_loads(void);

/* Runs original as a call of the built-in of that op. */
OP *prof_run_builtin(pTHX_ prof *p, int op_type, Perl_ppaddr_t original);
