#include "record/host.h"

/* Outside of perl_run() the only contexts are those of call_sv()'s own evals, each of which has a jump
 * buffer. */
bool prof_has_only_host_evals(pTHX_ I32 cxix)
{
    int evals = 0;
    for (const PERL_SI *si = PL_curstackinfo; si != NULL; si = si->si_prev) {
        for (I32 i = si == PL_curstackinfo ? cxix : si->si_cxix; i >= 0; i--, evals++) {
            const PERL_CONTEXT *cx = &si->si_cxstack[i];
            if (CxTYPE(cx) != CXt_EVAL || cx->blk_eval.retop != NULL)
                return false;
        }
    }
    for (const JMPENV *env = PL_top_env; env != &PL_start_env && env != NULL; env = env->je_prev)
        evals--;
    return evals == 0;
}
