#include "record/blocks.h"

#include "hot.h"

/* Where a loop's body begins. A bare block's op_nextop is its op_lastop; a loop's is its UNSTACK. Stock does
 * not take a loop with a continue part, nor a for (;;), for a block; profiles must be comparable. */
static const OP *start_of_loop(const LOOP *loop)
{
    if (loop == NULL || loop->op_nextop == NULL)
        return NULL;
    const bool has_continue = loop->op_nextop != loop->op_lastop && loop->op_nextop->op_type != OP_UNSTACK;
    return has_continue ? NULL : loop->op_redoop;
}

/* Returns the first COP that runs after o, or NULL. */
static const COP *next_cop(const OP *o)
{
    for (int steps = 0; o != NULL && steps < 100; o = o->op_next, steps++) {
        /* A COP that was optimized away still has its line. */
        const U32 type = o->op_type != OP_NULL ? o->op_type : (U32)o->op_targ;
        if (type == OP_NEXTSTATE || type == OP_DBSTATE)
            return (const COP *)o;
        /* The end of a loop's body, as with a statement modifier; or a block in it, which has its own
         * context. */
        if (type == OP_UNSTACK || type == OP_ENTER || type == OP_ENTERTRY)
            return NULL;
    }
    return NULL;
}

/* Returns the first COP of the code that a context executes, or NULL. */
static const COP *first_cop(pTHX_ const PERL_CONTEXT *cx)
{
    const CV *cv;
    switch (CxTYPE(cx)) {
    case CXt_EVAL:
    case CXt_BLOCK: return cx->blk_oldcop;
    case CXt_SUB:
    case CXt_FORMAT:
        cv = cx->blk_sub.cv; /* NULL: perl is leaving the sub */
        return next_cop(cv == NULL || CvISXSUB(cv) ? NULL : CvSTART(cv));
    case CXt_SUBST:
    case CXt_NULL: return NULL;
    default: return next_cop(CxTYPE_is_LOOP(cx) ? start_of_loop(cx->blk_loop.my_op) : NULL);
    }
}

/* Returns the line of the COP if it is in the same file as the statement, otherwise the statement's line.
 * Does not number new files. */
static uint32_t line_in_same_file(pTHX_ prof *p, const prof_place *at, const COP *cop)
{
    const char *file = CopFILE(cop);
    const prof_place *there = prof_place_kept(p, cop);
    if (there == NULL) {
        if (file == NULL || prof_fid_if_known(&p->files, file, strlen(file)) != prof_place_fid(at))
            return at->line;
        there = prof_place_of(aTHX_ p, cop, NYTP_FID_VIA_STMT);
    }
    return prof_place_fid(there) == prof_place_fid(at) ? there->line : at->line;
}

void prof_find_block(pTHX_ prof *p, const prof_place *at, uint32_t *block_line, uint32_t *sub_line)
{
    const PERL_SI *si = PL_curstackinfo;
    *block_line = *sub_line = 0;
    for (I32 i = si->si_cxix; *sub_line == 0; i--) {
        /* Some code, such as a sort block, has a context stack of its own. */
        while (i < 0 && (si = si->si_prev) != NULL)
            i = si->si_cxix;
        if (i < 0)
            break;
        const PERL_CONTEXT *cx = &si->si_cxstack[i];
        const COP *cop = first_cop(aTHX_ cx);
        if (cop == NULL || (CxTYPE(cx) == CXt_SUB && CvSTASH(cx->blk_sub.cv) == PL_debstash))
            continue;
        uint32_t line = line_in_same_file(aTHX_ p, at, cop);
        if (CxTYPE(cx) == CXt_SUB)
            *sub_line = line;
        if (*block_line == 0)
            *block_line = line;
    }
    if (*block_line == 0)
        *block_line = at->line;
    if (*sub_line == 0)
        *sub_line = at->line;
}
