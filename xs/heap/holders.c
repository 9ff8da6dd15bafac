#include "heap/holders.h"

#include "base/str.h"
#include "basics/alloc.h"
#include "heap/addresses.h"
#include "heap/stream.h"
#include "heap/threads.h"
#include "names/subs.h"

enum {
    LONGEST_STEP = 200, /* bytes */
    LONGEST_KEY = 40,
    MANY_KEYS = 16,  /* a hash with more has one step for all */
    MANY_STEPS = 64, /* from one holder: others are its step for all */
    MOST_DEPTH = 12, /* what is below belongs to the holder at that depth */
    MOST_HOLDERS = 1 << 20
};

typedef struct value {
    const SV *sv;
    uint32_t holder;
} value;

typedef struct holder {
    uint32_t parent, step; /* step: its text */
    uint32_t depth, steps; /* steps: how many lead on */
    uint32_t number;       /* in the stream; 0: it is not there yet */
} holder;

typedef struct walk {
    prof_entries values;        /* in the order in which they are visited */
    uint32_t expanded, of_code; /* how many have been, and how many of these if they are code */
    prof_entries holders;       /* the first one is the root */
    uint32_t written;           /* holders */
    nytp_strings *steps;
    uint32_t number; /* in the process */
    bool lacks_memory;
} walk;

/* Returns what prof_entries_add() does. If there is no memory for one more, the program goes on, and the walk
 * ends: the entry is as good as there. */
__attribute__((always_inline)) static inline uint32_t add(walk *w, prof_entries *e, const void *entry,
                                                          size_t entry_size, size_t key_size)
{
    enum { SLOTS = 4 }; /* for an entry, at most */
    if (e->count == e->cap) {
        const size_t count = 2 * (size_t)e->cap + 128;
        void *volatile memory = malloc(count * (entry_size + SLOTS * sizeof *e->slots.at));
        free(memory);
        w->lacks_memory |= memory == NULL || count > UINT32_MAX / 2;
    }
    return w->lacks_memory ? 1 : prof_entries_add(e, entry, entry_size, key_size);
}

/* ---- holders */

static bool is_of_all(nytp_str text)
{
    return nytp_str_is(text, "{*}") || nytp_str_is(text, "[*]");
}

static holder *holder_at(const walk *w, uint32_t number)
{
    return (holder *)w->holders.at + number;
}

static uint32_t add_holder(walk *w, uint32_t parent, uint32_t step)
{
    holder one = {.parent = parent, .step = step};
    if (w->holders.count > 0)
        one.depth = holder_at(w, parent)->depth + 1;
    const uint32_t found = add(w, &w->holders, &one, sizeof one, offsetof(holder, depth));
    if (found != 0)
        return found - 1;
    if (one.depth > 0)
        holder_at(w, parent)->steps++;
    return w->holders.count - 1;
}

/* Returns the holder to which a step leads. */
static uint32_t step_to(walk *w, uint32_t from, nytp_str text)
{
    const bool is_variable = from == 0;
    if (!is_variable && (holder_at(w, from)->depth >= MOST_DEPTH || w->holders.count >= MOST_HOLDERS))
        return from;
    if (!is_variable && holder_at(w, from)->steps >= MANY_STEPS)
        text = nytp_str_of(text.bytes[0] == '[' ? "[*]" : "{*}");
    const uint32_t step = prof_strings_intern(w->steps, text.bytes, text.length);
    for (uint32_t at = from; at != 0 && !is_of_all(text); at = holder_at(w, at)->parent)
        if (holder_at(w, at)->step == step)
            return at;
    return add_holder(w, from, step);
}

/* Returns the number of a holder in the stream. Call it with the lock. */
static uint32_t number_of(walk *w, uint32_t n)
{
    if (n == 0)
        return 0;
    holder *h = holder_at(w, n);
    if (h->number != 0)
        return h->number;
    size_t length;
    const uint32_t parent = number_of(w, h->parent);
    const char *text = nytp_strings_get(w->steps, h->step, &length);
    prof_stream_holder(parent, (nytp_str){text, length, true});
    return h->number = ++w->written;
}

/* Values may share a block: a text that was copied, or the key of hashes. It is the first one's. */
static void hold(walk *w, const void *block, uint32_t by)
{
    if (block == NULL || !prof_heap_may_be_sample(block))
        return;
    prof_heap_lock();
    prof_sample *sample = prof_address_find(block);
    if (sample != NULL && sample->slot != PROF_NO_SLOT && sample->walk != w->number) {
        sample->walk = w->number;
        prof_stream_held(sample->slot, number_of(w, by));
    }
    prof_heap_unlock();
}

/* ---- values */

/* Subs may have values in @_ that are freed. */
static void visit(pTHX_ walk *w, const SV *sv, uint32_t by)
{
    if (sv == NULL || SvIMMORTAL(sv) || SvTYPE(sv) == (svtype)SVTYPEMASK)
        return;
    if (!w->lacks_memory)
        add(w, &w->values, &(value){sv, by}, sizeof(value), offsetof(value, holder));
}

static void visit_step(pTHX_ walk *w, const SV *sv, uint32_t from, nytp_str text)
{
    if (sv != NULL && !SvIMMORTAL(sv))
        visit(aTHX_ w, sv, step_to(w, from, text));
}

/* A text that is put together, and cut if it is too long. Bytes that are not UTF-8 become "?". */
typedef struct step {
    char text[LONGEST_STEP];
    size_t length;
} step;

static void add_text(step *s, const char *text, size_t length, bool is_utf8)
{
    for (size_t i = 0; i < length && s->length < sizeof s->text; i++) {
        const unsigned char c = (unsigned char)text[i];
        s->text[s->length++] = c < ' ' || (c > '~' && !is_utf8) ? '?' : text[i];
    }
    if (s->length == sizeof s->text) /* not within a character */
        while ((s->text[s->length - 1] & 0x80) != 0)
            s->length--;
}

static void add_hek(step *s, const HEK *hek)
{
    if (hek != NULL)
        add_text(s, HEK_KEY(hek), (size_t)HEK_LEN(hek), HEK_UTF8(hek) != 0);
}

static nytp_str str_of(const step *s)
{
    return (nytp_str){s->text, s->length, true};
}

/* ---- what a value leads to */

static void visit_elements(pTHX_ walk *w, SV *const *at, SSize_t count, uint32_t by)
{
    for (SSize_t i = 0; i < count; i++)
        visit_step(aTHX_ w, at[i], by, nytp_str_of("[*]"));
}

static void expand_array(pTHX_ walk *w, const AV *av, uint32_t by)
{
    hold(w, AvALLOC(av), by);
    if (AvREAL(av) || AvREIFY(av))
        visit_elements(aTHX_ w, AvARRAY(av), AvARRAY(av) != NULL ? AvFILLp(av) + 1 : 0, by);
}

static void hold_key(walk *w, const HV *hv, const HE *he, uint32_t by)
{
    const size_t before = HvSHAREKEYS(hv) ? offsetof(struct shared_he, shared_he_hek) : 0;
    hold(w, (const char *)HeKEY_hek(he) - before, by);
}

static void expand_entry(pTHX_ walk *w, const HV *hv, const HE *he, uint32_t by)
{
    const bool is_literal = HvTOTALKEYS(hv) <= MANY_KEYS && HeKLEN(he) >= 0 && HeKLEN(he) <= LONGEST_KEY;
    step s = {"", 0};
    add_text(&s, "{", 1, true);
    add_text(&s, is_literal ? HeKEY(he) : "*", is_literal ? (size_t)HeKLEN(he) : 1, HeKUTF8(he) != 0);
    add_text(&s, "}", 1, true);
    hold_key(w, hv, he, by);
    visit_step(aTHX_ w, HeVAL(he), by, str_of(&s));
}

static void expand_hash(pTHX_ walk *w, const HV *hv, uint32_t by)
{
    HE *const *buckets = HvARRAY(hv);
    hold(w, buckets, by);
    for (STRLEN i = 0; buckets != NULL && i <= HvMAX(hv); i++)
        for (const HE *he = buckets[i]; he != NULL; he = HeNEXT(he))
            expand_entry(aTHX_ w, hv, he, by);
}

/* name NULL: all of the package. */
static nytp_str name_global(step *s, char sigil, const HEK *package, const HEK *name)
{
    s->length = 0;
    add_text(s, &sigil, 1, true);
    add_hek(s, package);
    add_text(s, "::", 2, true);
    add_hek(s, name);
    return str_of(s);
}

static void visit_global(pTHX_ walk *w, const SV *sv, char sigil, const HEK *package, const HEK *name)
{
    step s;
    visit_step(aTHX_ w, sv, 0, name_global(&s, sigil, package, name));
}

static void expand_glob(pTHX_ walk *w, const GV *gv, const HEK *package, const HEK *name)
{
    visit_global(aTHX_ w, GvSV(gv), '$', package, name);
    visit_global(aTHX_ w, (const SV *)GvAV(gv), '@', package, name);
    if (GvHV(gv) == NULL || HvENAME_HEK(GvHV(gv)) == NULL)
        visit_global(aTHX_ w, (const SV *)GvHV(gv), '%', package, name);
    else
        visit(aTHX_ w, (const SV *)GvHV(gv), 0);
    visit_global(aTHX_ w, (const SV *)GvCV(gv), '&', package, name);
    visit_global(aTHX_ w, (const SV *)GvIOp(gv), '*', package, name);
    visit_global(aTHX_ w, (const SV *)GvFORM(gv), '*', package, name);
}

/* Its entries are globs or, of subs and constants that have none, references. */
static void expand_symbols(pTHX_ walk *w, const HV *stash)
{
    HE *const *buckets = HvARRAY(stash);
    const HEK *package = HvENAME_HEK((HV *)stash);
    step s;
    const uint32_t by = step_to(w, 0, name_global(&s, '%', package, NULL));
    hold(w, buckets, by);
    for (STRLEN i = 0; buckets != NULL && i <= HvMAX(stash); i++)
        for (const HE *he = buckets[i]; he != NULL; he = HeNEXT(he)) {
            const SV *sv = HeVAL(he);
            hold_key(w, stash, he, by);
            if (isGV_with_GP(sv))
                expand_glob(aTHX_ w, (const GV *)sv, package, HeKEY_hek(he));
            else if (SvROK(sv))
                visit_global(aTHX_ w, SvRV(sv), '&', package, HeKEY_hek(he));
        }
}

/* The variable of a sub; of the file, if that is no sub. */
static void visit_variable(pTHX_ walk *w, const SV *sv, const PADNAME *name, const HEK *package,
                           const HEK *sub)
{
    step s = {"", 0};
    add_text(&s, "my ", 3, true);
    add_text(&s, PadnamePV(name), PadnameLEN(name), true);
    if (sub != NULL) {
        add_text(&s, " of ", 4, true);
        add_hek(&s, package);
        add_text(&s, "::", 2, true);
        add_hek(&s, sub);
    }
    visit_step(aTHX_ w, sv, 0, str_of(&s));
}

static void expand_pad(pTHX_ walk *w, CV *cv, PAD *pad, uint32_t by, bool of_variables)
{
    const PADNAMELIST *names = PadlistNAMES(CvPADLIST(cv));
    HEK *package = NULL, *sub = cv != PL_main_cv ? prof_name_of_cv(aTHX_ cv, &package) : NULL;
    hold(w, AvALLOC(pad), by);
    for (SSize_t i = 0; i <= AvFILLp(pad); i++) {
        const SV *sv = AvARRAY(pad)[i];
        const PADNAME *name = i <= PadnamelistMAX(names) ? PadnamelistARRAY(names)[i] : NULL;
        const bool is_variable = name != NULL && PadnameLEN(name) > 1 && !PadnameIsOUR(name);
        if (sv == NULL || is_variable != of_variables)
            continue;
        if (is_variable)
            visit_variable(aTHX_ w, sv, name, package, sub);
        else if (!isGV_with_GP(sv)) /* symbol tables have these */
            visit(aTHX_ w, sv, by);
    }
}

/* A sub has a pad for each depth that it has been called at. */
static void expand_pads(pTHX_ walk *w, CV *cv, uint32_t by, bool of_variables)
{
    const PADLIST *pads = CvISXSUB(cv) ? NULL : CvPADLIST(cv);
    if (pads != NULL)
        hold(w, PadlistARRAY(pads), by);
    for (SSize_t depth = 1; pads != NULL && depth <= PadlistMAX(pads); depth++)
        if (PadlistARRAY(pads)[depth] != NULL)
            expand_pad(aTHX_ w, cv, PadlistARRAY(pads)[depth], by, of_variables);
}

static void expand_code(pTHX_ walk *w, CV *cv, uint32_t by)
{
    if (CvISXSUB(cv) && CvCONST(cv))
        visit(aTHX_ w, CvXSUBANY(cv).any_ptr, by);
    expand_pads(aTHX_ w, cv, by, true);
}

static void expand_scalar(pTHX_ walk *w, const SV *sv, uint32_t by)
{
    if (SvROK(sv)) {
        if (!SvWEAKREF(sv))
            visit(aTHX_ w, SvRV(sv), by);
    } else if (SvTYPE(sv) >= SVt_PV && SvLEN(sv) > 0) {
        STRLEN moved = 0;
        if (SvOOK(sv))
            SvOOK_offset((SV *)sv, moved);
        hold(w, SvPVX_const(sv) - moved, by);
    }
    if (SvTYPE(sv) == SVt_PVLV && LvTYPE(sv) != 'T') /* that has an entry of a tied hash, which is no value */
        visit(aTHX_ w, LvTARG(sv), by);
}

/* What refers to a value weakly is in its magic, too. */
static void expand_magic(pTHX_ walk *w, const SV *sv, uint32_t by)
{
    for (const MAGIC *mg = SvMAGIC(sv); mg != NULL; mg = mg->mg_moremagic) {
        hold(w, mg, by);
        if (mg->mg_len > 0)
            hold(w, mg->mg_ptr, by);
        if (mg->mg_flags & MGf_REFCOUNTED && mg->mg_type != PERL_MAGIC_backref)
            visit(aTHX_ w, mg->mg_obj, by);
        if (mg->mg_len == HEf_SVKEY)
            visit(aTHX_ w, (const SV *)mg->mg_ptr, by);
    }
}

/* A glob that no symbol table has. */
static void expand_loose_glob(pTHX_ walk *w, const GV *gv, uint32_t by)
{
    visit(aTHX_ w, GvSV(gv), by);
    visit(aTHX_ w, (const SV *)GvAV(gv), by);
    visit(aTHX_ w, (const SV *)GvHV(gv), by);
    visit(aTHX_ w, (const SV *)GvCV(gv), by);
}

static void expand(pTHX_ walk *w, value v)
{
    const SV *sv = v.sv;
    switch (SvTYPE(sv)) {
    case SVt_PVAV: expand_array(aTHX_ w, (const AV *)sv, v.holder); break;
    case SVt_PVHV:
        if (HvENAME_HEK((HV *)sv) != NULL)
            expand_symbols(aTHX_ w, (const HV *)sv);
        else
            expand_hash(aTHX_ w, (const HV *)sv, v.holder);
        break;
    case SVt_PVCV:
    case SVt_PVFM: expand_code(aTHX_ w, (CV *)sv, v.holder); break;
#ifdef ObjectFIELDS
    case SVt_PVOBJ:
        hold(w, ObjectFIELDS(sv), v.holder);
        visit_elements(aTHX_ w, ObjectFIELDS(sv), ObjectMAXFIELD(sv) + 1, v.holder);
        break;
#endif
    case SVt_INVLIST:
    case SVt_PVIO: break;
    default:
        if (isGV_with_GP(sv))
            expand_loose_glob(aTHX_ w, (const GV *)sv, v.holder);
        else if (!isREGEXP(sv))
            expand_scalar(aTHX_ w, sv, v.holder);
        break;
    }
    if (SvTYPE(sv) >= SVt_PVMG)
        expand_magic(aTHX_ w, sv, v.holder);
}

/* ---- the walk */

/* The code that runs: of files, string evals and subs, which need not be reached from anywhere else. */
static void visit_running(pTHX_ walk *w)
{
    const uint32_t by = step_to(w, 0, nytp_str_of("(code that runs)"));
    visit(aTHX_ w, (const SV *)PL_main_cv, by);
    for (const PERL_SI *si = PL_curstackinfo; si != NULL; si = si->si_prev)
        for (I32 i = 0; i <= si->si_cxix; i++) {
            const PERL_CONTEXT *cx = &si->si_cxstack[i];
            if (CxTYPE(cx) == CXt_SUB || CxTYPE(cx) == CXt_FORMAT)
                visit(aTHX_ w, (const SV *)cx->blk_sub.cv, by);
            else if (CxTYPE(cx) == CXt_EVAL)
                visit(aTHX_ w, (const SV *)cx->blk_eval.cv, by);
        }
}

static void visit_temporaries(pTHX_ walk *w)
{
    for (SSize_t i = 0; i <= PL_tmps_ix; i++)
        visit_step(aTHX_ w, PL_tmps_stack[i], 0, nytp_str_of("(temporaries)"));
}

static value value_at(const walk *w, uint32_t number)
{
    return ((const value *)w->values.at)[number];
}

/* Visits what the values lead to. What code has for itself, such as the results of its operators, comes last:
 * it often shares the text of a variable. */
static void visit_all(pTHX_ walk *w)
{
    do {
        for (; w->expanded < w->values.count && !w->lacks_memory; w->expanded++)
            expand(aTHX_ w, value_at(w, w->expanded));
        for (; w->of_code < w->expanded && !w->lacks_memory; w->of_code++) {
            const value v = value_at(w, w->of_code);
            if (SvTYPE(v.sv) == SVt_PVCV || SvTYPE(v.sv) == SVt_PVFM)
                expand_pads(aTHX_ w, (CV *)v.sv, v.holder, false);
        }
    } while (w->expanded < w->values.count && !w->lacks_memory);
}

/* Perl's own list of the arenas that heads of values are in. What takes them has no name before 5.36. */
static void hold_arenas(pTHX_ walk *w)
{
    const uint32_t by = step_to(w, 0, nytp_str_of("(arenas of values)"));
    for (const SV *arena = PL_sv_arenaroot; arena != NULL; arena = (const SV *)SvANY(arena))
        hold(w, arena, by);
}

static void walk_free(walk *w)
{
    free(w->values.at);
    free(w->values.slots.at);
    free(w->holders.at);
    free(w->holders.slots.at);
    nytp_strings_free(w->steps);
}

static void write_walk(bool is_whole)
{
    prof_heap_lock();
    prof_stream_walk(is_whole);
    prof_heap_unlock();
}

void prof_holders_write(pTHX)
{
    static uint32_t walks;
    walk w = {.steps = prof_strings_new(), .number = ++walks};
    const prof_heap_quiet was = prof_heap_pause();
    write_walk(true);
    add_holder(&w, 0, UINT32_MAX);
    hold_arenas(aTHX_ & w);
    visit_running(aTHX_ & w);
    visit(aTHX_ & w, (const SV *)PL_defstash, 0);
    visit_all(aTHX_ & w);
    visit_temporaries(aTHX_ & w);
    visit_all(aTHX_ & w);
    if (w.lacks_memory)
        write_walk(false);
    walk_free(&w);
    prof_heap_go_on(&was);
}
