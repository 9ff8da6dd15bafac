#include "ops/requests.h"

#include "hot.h"
#include "ops/spans.h"

/* Ends it, and the part that began with it. */
static void end_request(pTHX_ prof *p, uint64_t id)
{
    prof_request *r = prof_request_find(&p->requests, id);
    dSAVE_ERRNO;
    if (r != NULL && r->end_ticks < 0) {
        r->end_ticks = prof_passed_ticks(p, prof_now(p));
        r->open++; /* stays until the end is written */
        prof_span_end(aTHX_ p, r->first);
        prof_request_end_part(p, id);
    }
    RESTORE_ERRNO;
}

static int free_request(pTHX_ SV *sv, MAGIC *mg)
{
    prof *p = prof_of(aTHX);
    PERL_UNUSED_VAR(sv);
    if (p != NULL)
        end_request(aTHX_ p, PTR2UV(mg->mg_ptr));
    return 0;
}

static const MGVTBL request_magic = {.svt_free = free_request};

/* Returns the id of the request that a reference stands for; 0 if it is none. */
static uint64_t id_of(SV *request)
{
    const bool is_object = request != NULL && SvROK(request) && SvTYPE(SvRV(request)) >= SVt_PVMG;
    const MAGIC *mg = is_object ? mg_findext(SvRV(request), PERL_MAGIC_ext, &request_magic) : NULL;
    return mg != NULL ? PTR2UV(mg->mg_ptr) : 0;
}

/* The frame of the call, which was taken off, becomes a part of a request. */
static void begin_part_of_frame(pTHX_ prof *p, prof_request *r, bool is_first)
{
    p->frames.count++;
    prof_span_name_top(aTHX_ p, r->sub);
    prof_top_frame(p)->recursion |= is_first ? 0 : PROF_PART;
    prof_request_begin_part(p, r);
}

SV *prof_request_start(pTHX_ const CV *cv, SV *class, SV *name)
{
    prof *p = prof_of(aTHX);
    SV *object = newSV(0);
    HV *stash =
        class != NULL && SvPOK(class) ? gv_stashsv(class, GV_ADD) : gv_stashpvs("NYTProf::Span", GV_ADD);
    uint64_t began;
    if (prof_span_begin_settled(aTHX_ p, cv, &began)) {
        dSAVE_ERRNO;
        prof_request *r = prof_request_add(&p->requests);
        r->sub = prof_sub_of_span(aTHX_ p, name);
        r->object = object;
        r->begin_ticks = prof_passed_ticks(p, began);
        begin_part_of_frame(aTHX_ p, r, true);
        r->first = p->frames.serial;
        sv_magicext(object, NULL, PERL_MAGIC_ext, &request_magic, INT2PTR(const char *, (uintptr_t)r->id), 0);
        prof_span_end_change(p, began);
        RESTORE_ERRNO;
        prof_span_say_ids(aTHX_ p);
    }
    return sv_bless(newRV_noinc(object), stash);
}

void prof_request_end(pTHX_ const CV *cv, SV *request)
{
    prof *p = prof_of(aTHX);
    uint64_t began;
    if (p == NULL)
        return;
    const bool is_recorded = prof_span_begin_change(aTHX_ p, cv, &began);
    end_request(aTHX_ p, id_of(request));
    if (is_recorded)
        prof_span_end_change(p, began);
}

/* Returns the innermost request of which a part runs; NULL if none does. */
static const prof_request *current_request(const prof *p)
{
    uint64_t id = 0;
    for (uint32_t n = p->frames.count; n > 0 && id == 0; n--)
        id = prof_request_of_frame(&p->requests, &p->frames.at[n - 1]);
    return prof_request_find(&p->requests, id);
}

static bool has_open_part(const prof *p, uint64_t id)
{
    uint32_t n = p->frames.count;
    while (n > 0 && prof_request_of_frame(&p->requests, &p->frames.at[n - 1]) != id)
        n--;
    return n > 0;
}

/* The frame of the call, which runs, becomes a part of the request, unless it is within one. Otherwise it is
 * taken off. Returns the serial number of the part; 0 if there is none. */
static uintptr_t begin_part(pTHX_ prof *p, const CV *cv, uint64_t id)
{
    uint64_t began;
    if (!prof_span_begin_settled(aTHX_ p, cv, &began))
        return 0;
    prof_request *r = prof_request_find(&p->requests, id);
    const bool is_part = r != NULL && r->end_ticks < 0 && !has_open_part(p, id);
    if (is_part)
        begin_part_of_frame(aTHX_ p, r, false);
    const uintptr_t serial = p->frames.serial;
    prof_span_end_change(p, began);
    if (is_part)
        prof_span_say_ids(aTHX_ p);
    return is_part ? serial : 0;
}

static void end_part(pTHX_ void *serial)
{
    prof *p = prof_of(aTHX);
    if (p != NULL)
        prof_span_end(aTHX_ p, PTR2UV(serial));
}

/* What makes an xsub a sub that was wrapped: an array of the sub and the request. */
static const MGVTBL wrapped_magic;

/* The xsub that a wrapped sub is called by. The sub is called as if it were not wrapped: perl's caller() does
 * not show xsubs. If it dies, the savestack ends the part. */
static void run_wrapped(pTHX_ CV *cv)
{
    dXSARGS;
    prof *p = prof_of(aTHX);
    const MAGIC *mg = mg_findext((SV *)cv, PERL_MAGIC_ext, &wrapped_magic);
    SV **const both = AvARRAY((AV *)mg->mg_obj);
    SV *const code = sv_2mortal(SvREFCNT_inc(both[0]));
    PERL_UNUSED_VAR(items);
    const uintptr_t serial = p != NULL ? begin_part(aTHX_ p, cv, id_of(both[1])) : 0;
    ENTER;
    if (serial != 0)
        SAVEDESTRUCTOR_X(end_part, INT2PTR(void *, serial));
    PUSHMARK(PL_stack_base + ax - 1);
    const I32 count = call_sv(code, GIMME_V);
    LEAVE;
    XSRETURN(count);
}

SV *prof_request_wrap(pTHX_ const CV *cv, SV *request, SV *code)
{
    prof *p = prof_of(aTHX);
    uint64_t began;
    if (p == NULL || !SvROK(code) || SvTYPE(SvRV(code)) != SVt_PVCV || SvOBJECT(SvRV(code)) ||
        !prof_span_begin_change(aTHX_ p, cv, &began))
        return newSVsv(code);
    const prof_request *r = request != NULL && SvROK(request)
                                ? prof_request_find(&p->requests, id_of(request))
                                : current_request(p);
    SV *wrapped = NULL;
    if (r != NULL) {
        CV *const xsub = newXS(NULL, run_wrapped, __FILE__);
        SV *both[] = {newSVsv(code), newRV_inc((SV *)(uintptr_t)r->object)};
        AV *array = av_make(2, both);
        SvREFCNT_dec(both[0]);
        SvREFCNT_dec(both[1]);
        sv_magicext((SV *)xsub, (SV *)array, PERL_MAGIC_ext, &wrapped_magic, NULL, 0);
        SvREFCNT_dec(array);
        if (SvPOK(SvRV(code)))
            sv_setpvn((SV *)xsub, CvPROTO((CV *)SvRV(code)), CvPROTOLEN((CV *)SvRV(code)));
        wrapped = newRV_noinc((SV *)xsub);
    }
    prof_span_end_change(p, began);
    return wrapped != NULL ? wrapped : newSVsv(code);
}
