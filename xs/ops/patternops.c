#include "ops/labelops.h"

static bool is_constant(const PMOP *pm)
{
    if (pm->op_flags & OPf_KIDS)
        for (const OP *kid = cUNOPx(pm)->op_first; kid != NULL; kid = OpSIBLING(kid))
            if (kid->op_type == OP_REGCOMP)
                return false;
    return true;
}

/* bytes is NULL if the op has no pattern. */
static prof_label_text text_of_pattern(pTHX_ const PMOP *pm)
{
    REGEXP *rx = PM_GETRE(pm);
    prof_label_text text = {.form = PROF_LABEL_PATTERN};
    if (rx == NULL || RX_WRAPPED(rx) == NULL)
        return text;
    const U32 flags = RX_EXTFLAGS(rx);
    text.bytes = RX_PRECOMP_const(rx);
    text.length = (size_t)RX_PRELEN(rx);
    text.utf8 = RX_UTF8(rx) != 0;
    text.variant =
        (flags & RXf_PMf_MULTILINE ? PROF_PATTERN_M : 0) | (flags & RXf_PMf_SINGLELINE ? PROF_PATTERN_S : 0) |
        (flags & RXf_PMf_FOLD ? PROF_PATTERN_I : 0) | (flags & RXf_PMf_EXTENDED ? PROF_PATTERN_X : 0);
    text.is_constant = text.stays = is_constant(pm);
    return text;
}

static OP *run_pattern(pTHX_ int op_type, const OP *pm)
{
    prof *p = prof_of(aTHX);
    if (!prof_is_recorded(p))
        return prof_original[op_type](aTHX);
    const uint64_t began = prof_now(p);
    const prof_label_text text = text_of_pattern(aTHX_ cPMOPx(pm));
    return prof_run_with_text(aTHX_ p, op_type, &text, began);
}

#define HANDLER(name, pm)                                                                                    \
    static OP *handle_##name(pTHX)                                                                           \
    {                                                                                                        \
        return run_pattern(aTHX_ OP_##name, pm);                                                             \
    }
HANDLER(MATCH, PL_op)
HANDLER(SUBST, PL_op)
HANDLER(QR, PL_op)
HANDLER(SUBSTCONT, cLOGOP->op_other)

/* Whether the top frame is that of this call, with that serial number. Calls may not be recorded since. */
static bool is_in_frame(pTHX_ const prof *p, int op_type, uintptr_t serial)
{
    HEK *package = NULL;
    const HEK *name = prof_name_of_op(aTHX_ op_type, &package);
    const prof_cv_key *key = prof_cv_key_find(&p->cv_keys, package, name);
    return p->frames.count > 0 && prof_top_frame(p)->serial == serial && key != NULL &&
           key->sub == prof_top_frame(p)->sub;
}

/* The pattern is known when it is compiled. */
static OP *compile_and_label(pTHX)
{
    const PMOP *pm = cPMOPx(cLOGOP->op_other);
    const uintptr_t serial = prof_of(aTHX)->frames.serial;
    OP *next = prof_original[OP_REGCOMP](aTHX);
    prof *p = prof_of(aTHX);
    const uint64_t began = prof_now(p);
    if (p->enabled.builtins && is_in_frame(aTHX_ p, OP_REGCOMP, serial)) {
        const prof_label_text text = text_of_pattern(aTHX_ pm);
        const uint32_t sub =
            text.bytes != NULL ? prof_label_of_op(aTHX_ p, OP_REGCOMP, &text) : PROF_SUB_NONE;
        if (sub != PROF_SUB_NONE)
            prof_call_rename(aTHX_ p, prof_top_frame(p), sub);
        prof_probe_end(p, PROF_PROBE_LABEL, began);
    }
    return next;
}

static OP *handle_REGCOMP(pTHX)
{
    prof *p = prof_of(aTHX);
    return prof_is_recorded(p) ? prof_run_builtin(aTHX_ p, OP_REGCOMP, compile_and_label)
                               : prof_original[OP_REGCOMP](aTHX);
}

#define REGEX_OPS(OP) OP(MATCH) OP(SUBST) OP(QR) OP(SUBSTCONT) OP(REGCOMP)
static const prof_handler pattern_ops[] = {REGEX_OPS(PROF_HANDLER_ROW)};

void prof_replace_pattern_ops(const prof_rules *rules)
{
    if (rules->kinds & PROF_LABELS_REGEX)
        PROF_REPLACE(pattern_ops);
}
