/* Spans: frames that the program names. */
#pragma once

#include "prof.h"

/* For the xsub DB::begin_span(), whose own frame becomes that of the span, "NYTProf::span NAME". Returns a
 * new reference that ends the span when it is freed, or undef if calls are not recorded. name may be
 * anything, or NULL. */
SV *prof_span_begin(pTHX_ const CV *cv, SV *name);

/* For DB::name_span(): renames the innermost open span. The call itself is not recorded. */
void prof_span_name(pTHX_ const CV *cv, SV *name);

/* For DB::trace_span(): the innermost open span belongs to this span of this trace. Ids that are not those of
 * W3C's trace context, or all 0, are none. The call itself is not recorded. */
void prof_span_trace(pTHX_ const CV *cv, SV *trace, SV *span);

/* For DB::on_span(): each span that begins from here on gets the two ids that the sub returns; none if it
 * dies, which perl warns of. ids may be anything: only a reference to a sub counts. */
void prof_span_ids_from(pTHX_ SV *ids);
