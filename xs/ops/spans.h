/* Spans: frames that the program names. */
#pragma once

#include "prof.h"

/* For the xsub DB::begin_span(), whose own frame becomes that of the span, "NYTProf::span NAME". Returns a
 * new reference that ends the span when it is freed, or undef if calls are not recorded. name may be
 * anything, or NULL. */
SV *prof_span_begin(pTHX_ const CV *cv, SV *name);

/* For DB::name_span(): renames the innermost open span. The call itself is not recorded. */
void prof_span_name(pTHX_ const CV *cv, SV *name);
