#include "ops/spans.h"

#include "base/str.h"

#include "record/coroutines.h"
#include "ops/entersub.h"
#include "names/labelcache.h"
#include "labels/values.h"
#include "session/marks.h"

static uint32_t base_of_spans(prof *p)
{
    if (p->subs.span == PROF_SUB_NONE) {
        p->subs.span = prof_sub_named(p, "NYTProf::span", strlen("NYTProf"));
        p->subs.at[p->subs.span].xsub = true;
    }
    return p->subs.span;
}

uint32_t prof_sub_of_span(pTHX_ prof *p, SV *name)
{
    prof_value value;
    prof_label_text text = {.bytes = "?", .length = 1};
    prof_labels_want(&p->labels);
    const uint32_t base = base_of_spans(p);
    if (prof_value_of(name, &value)) {
        const prof_label_text given = {value.bytes, value.length, value.utf8, .form = PROF_LABEL_PLAIN};
        const uint32_t sub = prof_label_of_sub(aTHX_ p, base, &given);
        if (sub != PROF_SUB_NONE)
            return sub;
    }
    return prof_label_of_sub(aTHX_ p, base, &text);
}

/* Whether the top frame is the call of that xsub, which runs. */
static bool is_called(pTHX_ prof *p, const CV *cv)
{
    const prof_frame *top = p->frames.count > 0 ? prof_top_frame(p) : NULL;
    return top != NULL && top->serial == p->frames.serial &&
           top->sub == prof_sub_of_cv(aTHX_ p, (CV *)(uintptr_t)cv);
}

/* Calls begun inside of the span may still be open; the span then stays until the outermost of them ends. It
 * takes over that call's serial number, and the call gets that number + 1. Odd serial numbers have no
 * destructor. The call may be a span itself, so several frames may wait for one number. guards: values that
 * the span has left and that are freed now. */
__attribute__((always_inline)) static inline void end_span(pTHX_ prof *p, uintptr_t serial, int guards)
{
    prof_frames *frames = &p->frames;
    uint32_t end = frames->count;
    while (end > 0 && frames->at[end - 1].serial > serial + 1)
        end--;
    if (end == 0 || frames->at[end - 1].serial < serial)
        return;
    if (end == frames->count) {
        prof_frame_end_slowly(aTHX_ p, serial, prof_clock_marks_settle(aTHX_ p, false));
        prof_evals_settle(p);
        return;
    }
    frames->at[end - 1].start_values -= guards;
    const uintptr_t next = frames->at[end].serial++;
    for (uint32_t n = end; n > 0 && frames->at[n - 1].serial >= serial; n--)
        frames->at[n - 1].serial = next;
}

/* Ends a span of the coroutine that runs. */
static inline void end_here(pTHX_ prof *p, uintptr_t serial, int guards)
{
    if (p->enabled.subs)
        prof_coroutines_switch(aTHX_ p, prof_now(p)); /* nothing may have been recorded since */
    if (PL_mainstack == p->frames.mainstack)
        end_span(aTHX_ p, serial, guards);
}

static int free_guard(pTHX_ SV *sv, MAGIC *mg)
{
    prof *p = prof_of(aTHX);
    dSAVE_ERRNO;
    PERL_UNUSED_VAR(sv);
    if (p != NULL)
        end_here(aTHX_ p, PTR2UV(mg->mg_ptr), 1);
    RESTORE_ERRNO;
    return 0;
}

void prof_span_end(pTHX_ prof *p, uintptr_t serial)
{
    end_here(aTHX_ p, serial, 0);
}

static const MGVTBL guard_magic = {.svt_free = free_guard};

static SV *new_guard(pTHX_ uintptr_t serial)
{
    SV *sv = newSV(0);
    sv_magicext(sv, NULL, PERL_MAGIC_ext, &guard_magic, INT2PTR(const char *, serial), 0);
    return newRV_noinc(sv);
}

/* ---- ids of a trace ---- */

enum { TRACE_DIGITS = 32, SPAN_DIGITS = 16 };

/* Appends a blank and the id that sv holds. Returns the end of the id, or NULL if sv does not hold that
 * number of hexadecimal digits, or all of them are 0. The number is a constant, and the sums are bytes, so
 * that the compiler makes one loop of 16 bytes at a time. */
static inline __attribute__((always_inline)) char *append_id(char *end, SV *sv, size_t digits)
{
    prof_value id;
    unsigned char is_wrong = 0, is_set = 0;
    if (!prof_value_of(sv, &id) || id.length != digits)
        return NULL;
    *end++ = ' ';
    memcpy(end, id.bytes, digits);
    for (size_t i = 0; i < digits; i++) {
        const unsigned char c = (unsigned char)end[i], from_0 = c - '0', from_a = c - 'a';
        is_wrong |= (from_0 > 9) & (from_a > 5);
        is_set |= c ^ '0';
    }
    return is_set && !is_wrong ? end + digits : NULL;
}

/* Says which ids the open span at this depth has. One at the same depth before it may have had others, so it
 * also says that a span has none, once there are any. */
static void write_ids(prof *p, uint32_t depth, SV *trace, SV *span)
{
    char text[sizeof "4294967295  " + TRACE_DIGITS + SPAN_DIGITS];
    char *const number_end = nytp_put_decimal(text, depth);
    char *end = append_id(number_end, trace, TRACE_DIGITS);
    end = end != NULL ? append_id(end, span, SPAN_DIGITS) : NULL;
    p->labels.has_traces |= end != NULL;
    if (p->out == NULL || p->options.calls == 0 || !p->labels.has_traces)
        return;
    end = end != NULL ? end : number_end;
    prof_output_attribute(p->out, "trace_context", (nytp_str){text, (size_t)(end - text), false});
}

/* Returns the depth of an open frame, from 1; 0 if it has ended. */
static uint32_t depth_of(const prof_frames *frames, uintptr_t serial)
{
    uint32_t n = frames->count;
    while (n > 0 && frames->at[n - 1].serial != serial)
        n--;
    return n;
}

/* Code of the program runs, which cannot leave loops around the span, since it has a stack of its own. Perl
 * warns if it dies. It is not asked for the ids of a span of its own. */
static void ask_for_ids(pTHX_ prof *p, uintptr_t serial)
{
    dSP;
    dSAVE_ERRNO;
    SV *const asked = p->labels.ids_of_span;
    const bool has_error = !SvPOK(ERRSV) || SvCUR(ERRSV) > 0;
    p->labels.ids_of_span = NULL;
    ENTER;
    SAVETMPS;
    if (has_error)
        save_item(ERRSV);
    PUSHSTACKi(PERLSI_MAGIC);
    PUSHMARK(SP);
    const I32 count = call_sv(asked, G_ARRAY | G_NOARGS | G_EVAL | G_KEEPERR);
    SPAGAIN;
    SvREFCNT_dec(p->labels.ids_of_span);
    p->labels.ids_of_span = asked;
    const uint32_t depth = p->enabled.subs ? depth_of(&p->frames, serial) : 0;
    if (depth > 0)
        write_ids(p, depth, count == 2 ? SP[-1] : NULL, count == 2 ? SP[0] : NULL);
    SP -= count;
    PUTBACK;
    POPSTACK;
    if (!has_error)
        CLEAR_ERRSV();
    FREETMPS;
    LEAVE;
    RESTORE_ERRNO;
}

void prof_span_say_ids(pTHX_ prof *p)
{
    if (p->labels.ids_of_span != NULL)
        ask_for_ids(aTHX_ p, p->frames.serial);
    else if (p->labels.has_traces)
        write_ids(p, p->frames.count, NULL, NULL);
}

void prof_span_ids_from(pTHX_ SV *ids)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return;
    SvREFCNT_dec(p->labels.ids_of_span);
    p->labels.ids_of_span = ids != NULL && SvROK(ids) && SvTYPE(SvRV(ids)) == SVt_PVCV ? newSVsv(ids) : NULL;
}

/* ---- spans ---- */

/* It gets another serial number, so that the end of the call does not end it. */
void prof_span_name_top(pTHX_ prof *p, uint32_t sub)
{
    prof_frame *f = prof_top_frame(p);
    prof_call_rename(aTHX_ p, f, sub);
    f->serial = p->frames.serial += 2;
}

bool prof_span_begin_change(pTHX_ prof *p, const CV *cv, uint64_t *began)
{
    if (p == NULL || !p->enabled.subs || !is_called(aTHX_ p, cv))
        return false;
    *began = prof_now(p);
    p->frames.count--;
    return true;
}

bool prof_span_begin_settled(pTHX_ prof *p, const CV *cv, uint64_t *began)
{
    if (p != NULL && p->enabled.subs && is_called(aTHX_ p, cv))
        prof_clock_marks_settle(aTHX_ p, true);
    return prof_span_begin_change(aTHX_ p, cv, began);
}

void prof_span_end_change(prof *p, uint64_t began)
{
    prof_probe_note_unusual(p);
    prof_probe_end(p, PROF_PROBE_LABEL, began);
}

SV *prof_span_begin(pTHX_ const CV *cv, SV *name)
{
    prof *p = prof_of(aTHX);
    uint64_t began;
    if (!prof_span_begin_settled(aTHX_ p, cv, &began))
        return newSV(0);
    dSAVE_ERRNO;
    p->frames.count++;
    prof_span_name_top(aTHX_ p, prof_sub_of_span(aTHX_ p, name));
    SV *guard = new_guard(aTHX_ p->frames.serial);
    prof_top_frame(p)->start_values++; /* the guard is not what the span leaves behind */
    prof_span_end_change(p, began);
    RESTORE_ERRNO;
    prof_span_say_ids(aTHX_ p);
    return guard;
}

static prof_frame *innermost_span(prof *p)
{
    const uint32_t base = base_of_spans(p);
    for (uint32_t n = p->frames.count; n > 0; n--)
        if (p->subs.at[p->frames.at[n - 1].sub].base == base + 1)
            return &p->frames.at[n - 1];
    return NULL;
}

void prof_span_trace(pTHX_ const CV *cv, SV *trace, SV *span)
{
    prof *p = prof_of(aTHX);
    uint64_t began;
    if (!prof_span_begin_change(aTHX_ p, cv, &began))
        return;
    dSAVE_ERRNO;
    const prof_frame *f = innermost_span(p);
    if (f != NULL)
        write_ids(p, (uint32_t)(f - p->frames.at) + 1, trace, span);
    prof_span_end_change(p, began);
    RESTORE_ERRNO;
}

void prof_span_name(pTHX_ const CV *cv, SV *name)
{
    prof *p = prof_of(aTHX);
    uint64_t began;
    if (!prof_span_begin_change(aTHX_ p, cv, &began))
        return;
    dSAVE_ERRNO;
    prof_frame *f = innermost_span(p);
    if (f != NULL) {
        const uint32_t sub = prof_sub_of_span(aTHX_ p, name);
        prof_request *request = prof_request_find(&p->requests, prof_request_of_frame(&p->requests, f));
        const uint32_t part = f->recursion & PROF_PART;
        prof_call_rename(aTHX_ p, f, sub);
        f->recursion |= part;
        if (request != NULL)
            request->sub = sub;
        if (f < prof_top_frame(p)) { /* a call that has the span as its caller */
            const prof_arc arc = p->arcs.at[f[1].arc];
            f[1].arc = prof_arc_find(&p->arcs, sub, arc.callee, arc.fid, arc.line);
        }
    }
    prof_span_end_change(p, began);
    RESTORE_ERRNO;
}
