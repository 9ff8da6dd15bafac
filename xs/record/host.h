/* Programs that embed perl, as servers and editors do. */
#pragma once

#include "prof.h"

/* Searches all contexts up to cxix on the current context stack, and those below. Use
 * prof_is_called_by_host(). */
bool prof_has_only_host_evals(pTHX_ I32 cxix);

/* Returns whether perl was not called by perl_run() but by a program that embeds it, and that does other
 * things between its calls. cxix: the innermost context to look at, on the current context stack. */
static inline bool prof_is_called_by_host(pTHX_ I32 cxix)
{
    return UNLIKELY(cxix < 0 || CxTYPE(&cxstack[cxix]) == CXt_EVAL) && prof_has_only_host_evals(aTHX_ cxix);
}
