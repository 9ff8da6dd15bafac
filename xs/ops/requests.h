/* Requests: spans that outlive the call that began them (record/requests.h). */
#pragma once

#include "prof.h"

/* For NYTProf::Span->start(): begins a request, of which the frame of this xsub becomes the
 * first part. Returns a new object of the class. The request ends when it is freed. */
SV *prof_request_start(pTHX_ const CV *cv, SV *class, SV *name);

/* For $request->end(). request may be anything. The call itself is not recorded. */
void prof_request_end(pTHX_ const CV *cv, SV *request);

/* For $request->wrap(CODE), and NYTProf::Span->wrap(CODE), which stands for the innermost request of which a
 * part runs. Returns a new reference to a sub that does what code does; each call of it is a part of the
 * request, which it keeps from being freed. If no request goes on, returns a new reference to the sub that
 * code refers to. The call of wrap() itself is not recorded. */
SV *prof_request_wrap(pTHX_ const CV *cv, SV *request, SV *code);
