/* The contexts of the process, one for each interpreter that profiles. */
#pragma once

#include "prof.h"

/* The context that this thread used last; before that, one of no interpreter. The memory of a context is
 * never freed, so the pointer may always be followed to see whose context it is. MY_CXT of perl cannot be
 * used: op handlers also run in interpreters that have not loaded the module, where MY_CXT is not
 * initialized. */
extern _Thread_local prof *prof_latest PROF_TLS_MODEL;

/* Searches all contexts. Returns NULL for an interpreter that has not loaded the module, and for a clone that
 * has no context of its own yet. */
prof *prof_find(const PerlInterpreter *perl);

/* Returns the interpreter that runs on this thread, or its context; NULL if none. A handler of a signal may
 * call them. */
const PerlInterpreter *prof_running_perl(void);
prof *prof_running(void);

/* Returns a context for the interpreter: an unused one, or a new one. All other members are zero. */
prof *prof_contexts_take(PerlInterpreter *perl);

/* Returns the context after p in the list of all contexts, with the unused ones; the first one for NULL. */
prof *prof_contexts_next(const prof *p);
#define PROF_EACH_CONTEXT(p) for (prof *p = prof_contexts_next(NULL); p != NULL; p = prof_contexts_next(p))

/* While a thread holds the lock, no other thread can fork or end the process. Signals wait, because the
 * handler of one, in C, may fork or call exit(), which would wait for the lock. */
void prof_contexts_lock(void);
void prof_contexts_unlock(void);
