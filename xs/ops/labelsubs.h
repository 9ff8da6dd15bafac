/* Subs that are recorded with labels, by rules. */
#pragma once

#include "record/callsites.h"
#include "labels/rules.h"

/* Puts a handler before that of prof_replace_entersub(), if there are rules. */
void prof_replace_ruled(const prof_rules *rules);

/* Gives a call that `goto &sub` has begun its label, if the sub has a rule. serial: of the latest call
 * before. */
void prof_label_goto_sub(pTHX_ prof *p, CV *cv, uintptr_t serial);

/* Makes the callee of `goto &xsub` the labelled one, if the sub has a rule. @_ has its arguments. */
void prof_label_goto_xsub(pTHX_ prof *p, CV *cv, prof_callee *callee);
