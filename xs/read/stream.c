#include "stream.h"

#include <pthread.h>

/* How often this process has forked. A reader may have a thread, which does not exist in a child. */
static unsigned forks;

static void count_fork(void)
{
    forks++;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

/* Makes $. ours. It belongs to the handle that was read last; without such a handle it keeps the value that
 * is assigned. */
static void take_over_number(pTHX_ read_stream *s)
{
    s->number = SvREFCNT_inc_NN(GvSVn(gv_fetchpvs(".", GV_ADD | GV_NOTQUAL, SVt_PV)));
    s->number_before = newSV(0);
    sv_setsv_flags(s->number_before, s->number, SV_NOSTEAL);
    s->handle_before = MUTABLE_GV(SvREFCNT_inc(MUTABLE_SV(PL_last_in_gv)));
}

static void give_number_back(pTHX_ read_stream *s)
{
    if (s->number == NULL)
        return;
    sv_setsv_flags(s->number, s->number_before, 0);
    bool still_there = s->handle_before != NULL && SvREFCNT(s->handle_before) > 1;
    PL_last_in_gv = still_there ? s->handle_before : NULL;
    SvREFCNT_dec(s->handle_before);
    SvREFCNT_dec(s->number_before);
    SvREFCNT_dec(s->number);
}

static int free_stream(pTHX_ SV *sv, MAGIC *magic)
{
    PERL_UNUSED_ARG(sv);
    read_stream *s = (read_stream *)magic->mg_ptr;
    if (s == NULL)
        return 0;
    give_number_back(aTHX_ s);
    if (s->forks == forks)
        nytp_reader_free(s->reader);
    for (read_stream_kind *kind = s->kinds; kind < s->kinds + READ_TAGS; kind++) {
        SvREFCNT_dec(kind->callback);
        SvREFCNT_dec(kind->name);
        for (size_t i = 0; i < READ_VALUES_MAX; i++)
            SvREFCNT_dec(kind->values[i]);
    }
    Safefree(s->path);
    Safefree(s);
    return 0;
}

/* A thread that starts during a callback gets a copy, which cannot read. */
static int forget_stream(pTHX_ MAGIC *magic, CLONE_PARAMS *parameters)
{
    PERL_UNUSED_CONTEXT;
    PERL_UNUSED_ARG(parameters);
    magic->mg_ptr = NULL;
    return 0;
}

const MGVTBL read_stream_magic = {.svt_free = free_stream, .svt_dup = forget_stream};

static CV *code_of(pTHX_ SV *callback, const char *whose)
{
    HV *stash;
    GV *gv;
    bool may_be = SvROK(callback) && (SvTYPE(SvRV(callback)) == SVt_PVCV || SvAMAGIC(callback));
    CV *cv = may_be ? sv_2cv(callback, &stash, &gv, 0) : NULL;
    if (cv == NULL)
        read_complain(aTHX_ newSVpvf("%s callback is not a CODE reference", whose));
    return MUTABLE_CV(SvREFCNT_inc_NN(MUTABLE_SV(cv)));
}

static CV *callback_for(pTHX_ SV *callbacks, const char *tag)
{
    if (!SvROK(callbacks) || SvTYPE(SvRV(callbacks)) != SVt_PVHV || SvAMAGIC(callbacks))
        return code_of(aTHX_ callbacks, "The");
    HV *by_tag = MUTABLE_HV(SvRV(callbacks));
    SV **own = hv_fetch(by_tag, tag, (I32)strlen(tag), 0);
    if (own != NULL)
        return code_of(aTHX_ * own, tag);
    SV **other = hv_fetchs(by_tag, "", 0);
    return other != NULL ? code_of(aTHX_ * other, "The default") : NULL;
}

static void prepare_call(pTHX_ read_stream *s)
{
    s->call.op_type = OP_ENTERSUB;
    s->call.op_ppaddr = PL_ppaddr[OP_ENTERSUB];
    s->call.op_flags = OPf_STACKED | OPf_WANT_VOID;
    if (PERLDB_SUB)
        s->call.op_private = OPpENTERSUB_DB; /* lets perl -d step into callbacks */
}

static void prepare_kinds(pTHX_ read_stream *s, SV *callbacks)
{
    uint32_t wanted = 0;
#define PREPARE(tag, n)                                                                                      \
    s->kinds[n].callback = callback_for(aTHX_ callbacks, #tag);                                              \
    s->kinds[n].name = newSVpvs_share(#tag);                                                                 \
    SvREADONLY_on(s->kinds[n].name);                                                                         \
    if (s->kinds[n].callback != NULL)                                                                        \
        wanted |= NYTP_BIT(tag);
    NYTP_TAGS(PREPARE)
#undef PREPARE
    nytp_reader_set_tags(s->reader, wanted);
}

SV *read_stream_open(pTHX_ const char *path, SV *callbacks)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    read_stream *s;
    Newxz(s, 1, read_stream);
    SV *holder = newSV_type(SVt_PVMG);
    SV *reference = sv_2mortal(newRV_noinc(holder));
    MAGIC *magic = sv_magicext(holder, NULL, PERL_MAGIC_ext, &read_stream_magic, (char *)s, 0);
    magic->mg_flags |= MGf_DUP;
    s->forks = forks;
    s->path = savepv(path);
    s->reader = read_bound_reader(aTHX_ path);
    prepare_call(aTHX_ s);
    prepare_kinds(aTHX_ s, callbacks);
    take_over_number(aTHX_ s);
    return SvREFCNT_inc_NN(reference);
}

/* Does what sv_setiv() does, which takes three times as long. $. has magic, so callbacks rarely change its
 * type. */
static inline void set_number(pTHX_ SV *number, IV value)
{
    if (UNLIKELY(SvTYPE(number) != SVt_PVMG || SvTHINKFIRST(number))) {
        sv_setiv(number, value);
        return;
    }
    (void)SvIOK_only(number);
    SvIV_set(number, value);
    SvTAINT(number);
}

bool read_stream_next(pTHX_ read_stream *s, nytp_chunk *chunk)
{
    if (s->forks != forks)
        read_complain(aTHX_ newSVpvs("a profile cannot be read on in a process that was forked meanwhile"));
    s->ended = nytp_reader_next(s->reader, chunk);
    if (s->ended != NYTP_OK)
        return false;
    PL_last_in_gv = NULL;
    set_number(aTHX_ s->number, (IV)nytp_reader_chunks(s->reader) - 1);
    return true;
}

static SV *new_error(pTHX_ const nytp_reader *reader, int ended)
{
    const nytp_error *error = nytp_reader_error(reader);
    return newSVpvf("%s%s", error->message, ended == NYTP_ERR_MEMORY ? "; NYTP_MEMORY_MIB allows more" : "");
}

static SV *new_warning(pTHX_ const nytp_reader *reader)
{
    const char *first;
    uint32_t lines = nytp_reader_warnings(reader, &first);
    if (lines == 0)
        return newSV(0);
    return lines == 1 ? newSVpv(first, 0) : newSVpvf("%s (and %u more)", first, (unsigned)lines - 1);
}

void read_stream_problems(pTHX_ nytp_reader *reader, const char *path, int ended, SV **error, SV **warning)
{
    uint64_t offset;
    *warning = new_warning(aTHX_ reader);
    if (ended != NYTP_END) {
        *error = new_error(aTHX_ reader, ended);
        return;
    }
    int next = nytp_reader_next_profile(reader, &offset);
    if (next == NYTP_OK)
        *error = newSVpvf("%s: a second profile begins at byte %lu; merge them with nytprofmerge", path,
                          (unsigned long)offset);
    else
        *error = next == NYTP_END ? newSV(0) : new_error(aTHX_ reader, next);
    if (SvOK(*warning))
        return;
    SvREFCNT_dec(*warning);
    *warning = new_warning(aTHX_ reader);
}
