/* The contexts of the process, one for each interpreter that profiles. */
#ifndef PROF_CONTEXTS_H
#define PROF_CONTEXTS_H

#include "prof.h"

/* The context that this thread used last. The memory of a context is never freed, so the pointer can always
 * be followed to see whose context it is now. Perl's own MY_CXT would not do: op handlers also run in
 * interpreters that have not loaded the module, where MY_CXT holds anything. */
extern _Thread_local prof *prof_latest __attribute__((tls_model("initial-exec")));

/* Searches all contexts. Returns NULL for an interpreter that has not loaded the module, and for a clone that
 * has no context of its own yet. */
prof *prof_find(const PerlInterpreter *perl);

/* Returns a context for an interpreter: an unused one, or a new one. Everything else in it is zero. */
prof *prof_contexts_take(PerlInterpreter *perl);

/* Iterates over all contexts, the unused ones too: prof *next = prof_contexts_next(NULL), and so on. */
prof *prof_contexts_next(const prof *p);

/* The lock keeps out forks and the end of the process, which other threads may cause. */
void prof_contexts_lock(void);
void prof_contexts_unlock(void);

#endif
