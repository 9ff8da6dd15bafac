/* Calls: of perl subs, and of xsubs and built-ins, which return to the op that calls them. */
#pragma once

#include "prof.h"

#include "record/callsites.h"
#include "record/frames.h"

/* Replaces ENTERSUB. */
void prof_replace_entersub(void);

/* Begins a call of an xsub, a built-in or a sub that is not defined. Returns true, in a probe interval that
 * began at *began and that the caller must end; or false if the call is not recorded. cxix: the caller's
 * innermost context on perl's context stack. */
bool prof_call_begin(pTHX_ prof *p, const prof_callee *callee, I32 cxix, uint64_t *began);

/* Begins a call of a perl sub, after perl has pushed its context. From here on time is the callee's. cv: the
 * sub that the call names; after `goto &stub` another one runs. */
void prof_call_enter(pTHX_ prof *p, CV *cv, const COP *caller_cop);

/* Runs the original handler of an op as a call of callee. Returns the next op. */
OP *prof_run_in_frame(pTHX_ prof *p, const prof_callee *callee, Perl_ppaddr_t original);

/* Runs it as a call of a labelled sub, in a probe interval that began at `began`. */
OP *prof_run_labelled(pTHX_ prof *p, uint32_t sub, Perl_ppaddr_t original, uint64_t began);

/* Makes the call of a frame one of another sub. Call it in a probe interval. */
void prof_call_rename(pTHX_ prof *p, prof_frame *f, uint32_t sub);
