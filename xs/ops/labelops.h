/* Built-ins that are recorded with labels. */
#pragma once

#include "ops/builtins.h"
#include "ops/entersub.h"
#include "basics/ops.h"
#include "names/labelcache.h"

/* Replace the ops that have labels of these kinds: regular expressions (patternops.c); files, commands and
 * hosts (fileops.c). Call them before prof_replace_builtins(), which leaves out what is replaced. */
void prof_replace_pattern_ops(const prof_rules *rules);
void prof_replace_file_ops(const prof_rules *rules);

static inline bool prof_is_recorded(const prof *p)
{
    return p != NULL && p->enabled.builtins;
}

/* Runs the original handler as a call of the built-in with that label, or without one if there is no text.
 * began: a count of the clock, from before the text was looked for. */
static inline OP *prof_run_with_text(pTHX_ prof *p, int op_type, const prof_label_text *text, uint64_t began)
{
    const uint32_t sub = text->bytes != NULL ? prof_label_of_op(aTHX_ p, op_type, text) : PROF_SUB_NONE;
    if (UNLIKELY(sub == PROF_SUB_NONE))
        return prof_run_builtin(aTHX_ p, op_type, prof_original[op_type]);
    return prof_run_labelled(aTHX_ p, sub, prof_original[op_type], began);
}
