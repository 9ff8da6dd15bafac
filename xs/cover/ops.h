/* What ops mean for coverage: which begin statements, which run, which are operators with a right operand. */
#pragma once

#include "cover/collect.h"

static inline bool is_begin(const OP *o)
{
    return o->op_type == OP_NEXTSTATE || o->op_type == OP_DBSTATE;
}

/* One that perl has made nothing of, though its line is still there. */
static inline bool is_former_begin(const OP *o)
{
    return o->op_type == OP_NULL && (o->op_targ == OP_NEXTSTATE || o->op_targ == OP_DBSTATE);
}

static inline const OP *first_kid(const OP *o)
{
    return (o->op_flags & OPf_KIDS) != 0 ? cUNOPx(o)->op_first : NULL;
}

/* The tree that an op has beside its kids: the replacement of s///e, the code in a pattern; NULL if none. */
static inline OP *tree_aside(const OP *o)
{
    if (o->op_type == OP_SUBST)
        return cPMOPx(o)->op_pmreplrootu.op_pmreplroot;
    if ((o->op_type == OP_MATCH || o->op_type == OP_QR) &&
        (cPMOPx(o)->op_pmflags & PMf_CODELIST_PRIVATE) == 0)
        return cPMOPx(o)->op_code_list;
    return NULL;
}

/* Declarations of which nothing remains when they stand alone. */
static inline bool is_idle_declaration(const OP *o)
{
    if ((o->op_flags & OPf_WANT) != OPf_WANT_VOID)
        return false;
    switch (o->op_type) {
    case OP_RV2SV:
    case OP_RV2AV:
    case OP_RV2HV:
    case OP_GVSV: return (o->op_private & OPpOUR_INTRO) != 0;
    case OP_PADSV:
    case OP_PADAV:
    case OP_PADHV: return (o->op_private & OPpPAD_STATE) != 0;
    default: return false;
    }
}

/* Ops that perl jumps over. */
static inline bool is_idle(const OP *o)
{
    return o->op_type == OP_NULL || o->op_type == OP_SCOPE || o->op_type == OP_LINESEQ ||
           o->op_type == OP_SCALAR || (o->op_type == OP_STUB && (o->op_flags & OPf_WANT) == OPf_WANT_LIST);
}

/* Returns the first op from here on, in the order in which they run, that does something. */
static inline OP *next_to_run(OP *o)
{
    while (o != NULL && is_idle(o))
        o = o->op_next;
    return o;
}

/* Returns the first op of the tree that runs; NULL if none does. The way down to the first leaf is a loop,
 * for a long chain of operators is as deep as it is long. */
static inline OP *first_to_run(OP *root)
{
    OP *o = root;
    for (bool is_back = false;;) {
        OP *kid = (OP *)first_kid(o);
        if (!is_back && kid != NULL && !is_idle_declaration(o)) {
            o = kid;
            continue;
        }
        if (!is_idle(o) && !is_idle_declaration(o))
            return o;
        if (o == root)
            return NULL;
        is_back = !OpHAS_SIBLING(o);
        o = o->op_sibparent;
    }
}

/* The operators whose right operand may not run. */
static inline enum nytp_cover_op operator_of(const OP *o)
{
    switch (o->op_type) {
    case OP_AND: return first_kid(o)->op_type != OP_ITER ? NYTP_COVER_AND : NYTP_COVER_STATEMENT;
    case OP_OR: return NYTP_COVER_OR;
    case OP_DOR: return NYTP_COVER_DOR;
    case OP_ANDASSIGN: return NYTP_COVER_AND_ASSIGN;
    case OP_ORASSIGN: return NYTP_COVER_OR_ASSIGN;
    case OP_DORASSIGN: return NYTP_COVER_DOR_ASSIGN;
    case OP_COND_EXPR: return NYTP_COVER_CONDITION;
#if PERL_VERSION >= 26
    case OP_ARGDEFELEM: return NYTP_COVER_DEFAULT;
#endif
    default: return NYTP_COVER_STATEMENT;
    }
}

static inline enum nytp_cover_want want_of(const OP *o)
{
    switch (o->op_flags & OPf_WANT) {
    case OPf_WANT_VOID: return NYTP_COVER_VOID;
    case OPf_WANT_SCALAR: return NYTP_COVER_SCALAR;
    case OPf_WANT_LIST: return NYTP_COVER_LIST;
    default: return NYTP_COVER_OF_SUB;
    }
}

/* Goes to the next op in the order of the source: parents before kids. NULL after the last one. */
static inline OP *prof_next_op(OP *o, const OP *root)
{
    if (first_kid(o) != NULL)
        return (OP *)first_kid(o);
    while (o != root && !OpHAS_SIBLING(o))
        o = o->op_sibparent;
    return o != root ? o->op_sibparent : NULL;
}
