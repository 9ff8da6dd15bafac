/* Built-ins that are recorded as subs (slowops=), and accept(). */
#ifndef PROF_BUILTINS_H
#define PROF_BUILTINS_H

#include "prof.h"

/* Replaces the ops of all these built-ins. */
void prof_replace_builtins(void);
/* Replaces ACCEPT, with slowops=0 too: waiting for the next connection is nobody's time. */
void prof_replace_accept(void);

/* Runs original as the built-in of that op. */
OP *prof_run_builtin(pTHX_ prof *p, int op_type, Perl_ppaddr_t original);

#endif
