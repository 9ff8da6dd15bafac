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

/* ---- for requests (requests.c) ---- */

/* Returns the sub of the spans of that name. A name that is empty or that only running code would say is "?".
 */
uint32_t prof_sub_of_span(pTHX_ prof *p, SV *name);

/* Makes a span of the top frame, which is the call of an xsub that runs. */
void prof_span_name_top(pTHX_ prof *p, uint32_t sub);

/* Has the span that has just begun get its ids. */
void prof_span_say_ids(pTHX_ prof *p);

/* Ends the span with that serial number, if it is one of the coroutine that runs. */
void prof_span_end(pTHX_ prof *p, uintptr_t serial);

/* Begins to change spans in a call of cv, whose frame is taken off. Returns false if calls are not recorded,
 * or this one is not; otherwise call the second one. */
bool prof_span_begin_change(pTHX_ prof *p, const CV *cv, uint64_t *began);

/* Does so where a span begins, or a part of one: the frame begins after prof_clock_marks_settle(). */
bool prof_span_begin_settled(pTHX_ prof *p, const CV *cv, uint64_t *began);

void prof_span_end_change(prof *p, uint64_t began);
