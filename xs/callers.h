/* The caller of a call that no profiled sub makes. */
#ifndef PROF_CALLERS_H
#define PROF_CALLERS_H

#include "prof.h"

/* Returns the number of the caller: a sub that was entered before profiling began, main::RUNTIME or
 * main::NULL. cxix: the caller's innermost context on perl's context stack. */
uint32_t prof_caller_by_perl_stack(pTHX_ prof *p, I32 cxix);

#endif
