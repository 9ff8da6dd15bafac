/* Subs: from perl's CVs and ops to dense numbers and names. */
#include "calls.h"

/* A CV may be freed and another take its address, but not the shared strings of
 * its name and package while they are held here. */
struct prof_cv_key {
    const HEK *package, *name;
    SV *held_package, *held_name; /* which share them; NULL for what is no HEK */
    uint32_t sub;
};

/* In prof_cv_key.sub: every CV of that name is another sub. */
#define EVERY_ONE_ANOTHER (PROF_SUB_NONE - 1)

nytp_str prof_sub_name(const prof *p, uint32_t sub)
{
    nytp_cursor c = {.at = p->subs[sub].encoded, .end = p->subs[sub].encoded + p->subs[sub].encoded_length};
    return nytp_get_str(&c);
}

/* ---- by name ---- */

/* A name as it is put together. */
typedef struct whole_name {
    char *bytes;
    STRLEN length, package_length;
    bool utf8;
} whole_name;

static void append_bytes(whole_name *n, const char *bytes, STRLEN length)
{
    n->bytes = prof_realloc(n->bytes, n->length + length + 1);
    memcpy(n->bytes + n->length, bytes, length);
    n->length += length;
    n->bytes[n->length] = '\0';
}

/* Once a part is UTF-8 the whole is; Latin-1 parts are widened. */
static void append_part(pTHX_ whole_name *n, const char *bytes, STRLEN length, bool utf8)
{
    if (utf8 && !n->utf8 && n->length > 0) {
        STRLEN wide_length = n->length;
        char *wide = (char *)bytes_to_utf8((U8 *)n->bytes, &wide_length);
        n->length = 0;
        append_bytes(n, wide, wide_length);
        Safefree(wide);
    } else if (!utf8 && n->utf8) {
        char *wide = (char *)bytes_to_utf8((U8 *)bytes, &length);
        append_bytes(n, wide, length);
        Safefree(wide);
        return;
    }
    n->utf8 = n->utf8 || utf8;
    append_bytes(n, bytes, length);
}

static whole_name name_from(pTHX_ const HEK *package, const HEK *name)
{
    whole_name n = {0};
    if (package != NULL)
        append_part(aTHX_ & n, HEK_KEY(package), (STRLEN)HEK_LEN(package), HEK_UTF8(package));
    else
        append_part(aTHX_ & n, "__GONE__", 8, false);
    n.package_length = n.length;
    append_part(aTHX_ & n, "::", 2, false);
    append_part(aTHX_ & n, HEK_KEY(name), (STRLEN)HEK_LEN(name), HEK_UTF8(name));
    if (package != NULL && HEK_UTF8(name) && !HEK_UTF8(package)) /* the package became wider */
        n.package_length = n.length - (STRLEN)HEK_LEN(name) - 2;
    return n;
}

static uint32_t add_sub(prof *p, uint32_t number, const whole_name *n)
{
    prof_sub sub = {.package_length = (uint32_t)n->package_length};
    nytp_str name = {n->bytes, n->length, n->utf8};
    if (number >= p->sub_room) {
        p->sub_room = p->sub_room * 2 + 256;
        p->subs = prof_realloc(p->subs, p->sub_room * sizeof *p->subs);
    }
    sub.encoded = prof_alloc(n->length + NYTP_STR_HEAD_MAX + NYTP_PAD); /* read back with a cursor */
    sub.encoded_length = (size_t)(nytp_put_str(sub.encoded, name) - sub.encoded);
    sub.leaves = n->length == 12 && memcmp(n->bytes, "POSIX::_exit", 12) == 0;
    p->subs[number] = sub;
    return number;
}

/* Frees the name's bytes. */
static uint32_t sub_named(prof *p, whole_name *n)
{
    uint32_t before = prof_table_count(p->sub_names);
    uint32_t number = (uint32_t)prof_table_find(p->sub_names, n->bytes, n->length, true);
    if (number == before)
        add_sub(p, number, n);
    free(n->bytes);
    return number;
}

static uint32_t plain_sub(prof *p, const char *text, STRLEN package_length)
{
    whole_name n = {.package_length = package_length};
    append_bytes(&n, text, strlen(text));
    return sub_named(p, &n);
}

/* ---- BEGIN blocks ---- */

/* "main::BEGIN@4", by the line where it begins; ".N" where there is one of that name. perl keeps
 * one %DB::sub entry for all BEGINs of a package, that of the one being called. */
static uint32_t begin_sub(pTHX_ prof *p, whole_name *n)
{
    prof_range range = {.first_line = (uint32_t)CopLINE(PL_curcop)};
    bool known = prof_sub_range(aTHX_ n->bytes, n->length, n->utf8, &range);
    char line[32];
    append_bytes(n, line, (STRLEN)my_snprintf(line, sizeof line, "@%u", (unsigned)range.first_line));
    if (prof_table_find(p->sub_names, n->bytes, n->length, false) >= 0)
        append_bytes(n, line, (STRLEN)my_snprintf(line, sizeof line, ".%u", (unsigned)++p->begin_duplicates));
    uint32_t sub = sub_named(p, n);
    if (known) {
        p->subs[sub].fid = prof_fid(aTHX_ p, range.file, range.file_length, false, NYTP_FID_VIA_SUB);
        p->subs[sub].first_line = range.first_line;
        p->subs[sub].last_line = range.last_line;
    }
    return sub;
}

/* ---- by CV ---- */

/* Names of its own for a CV that has none. */
static uint32_t unknown_sub(pTHX_ prof *p, CV *cv)
{
    char text[64];
    whole_name n = {0};
    const OP *start = CvISXSUB(cv) ? NULL : CvSTART(cv);
    const COP *cop = start != NULL && start->op_type == OP_NEXTSTATE ? (const COP *)start : NULL;
    const char *package = CvSTASH(cv) != NULL ? HvNAME(CvSTASH(cv)) : NULL;
    append_bytes(&n, package != NULL ? package : "main", strlen(package != NULL ? package : "main"));
    n.package_length = n.length;
    append_bytes(&n, "::__UNKNOWN__[", 14);
    if (cop != NULL && CopFILE(cop) != NULL)
        append_bytes(&n, CopFILE(cop), strlen(CopFILE(cop)));
    my_snprintf(text, sizeof text, ":%u]", cop != NULL ? (unsigned)CopLINE(cop) : 0);
    append_bytes(&n, text, strlen(text));
    return sub_named(p, &n);
}

static bool hek_is(const HEK *hek, const char *text)
{
    return hek != NULL && (size_t)HEK_LEN(hek) == strlen(text) &&
           memcmp(HEK_KEY(hek), text, strlen(text)) == 0;
}

/* perl runs, and frees, many BEGIN blocks of a package. */
bool prof_name_is_one_sub(const HEK *name)
{
    return !hek_is(name, "BEGIN");
}

static uint32_t find_slot(const prof *p, const HEK *package, const HEK *name)
{
    uint64_t hash = ((uint64_t)(uintptr_t)package * 31 + (uint64_t)(uintptr_t)name) * PROF_MIX;
    uint32_t i = (uint32_t)(hash >> 32) & p->cv_key_mask;
    while (p->cv_keys[i].name != NULL && (p->cv_keys[i].name != name || p->cv_keys[i].package != package))
        i = (i + 1) & p->cv_key_mask;
    return i;
}

static void grow_keys(prof *p)
{
    uint32_t old_count = p->cv_keys != NULL ? p->cv_key_mask + 1 : 0;
    struct prof_cv_key *old = p->cv_keys;
    p->cv_key_mask = old_count > 0 ? old_count * 2 - 1 : 255;
    p->cv_keys = prof_alloc(((size_t)p->cv_key_mask + 1) * sizeof *p->cv_keys);
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i].name != NULL)
            p->cv_keys[find_slot(p, old[i].package, old[i].name)] = old[i];
    free(old);
}

static SV *hold(pTHX_ HEK *hek)
{
    return hek != NULL ? newSVhek(hek) : NULL;
}

void prof_names_free(pTHX_ prof *p)
{
    for (uint32_t i = 0; p->cv_keys != NULL && i <= p->cv_key_mask; i++) {
        SvREFCNT_dec(p->cv_keys[i].held_package);
        SvREFCNT_dec(p->cv_keys[i].held_name);
    }
    free(p->cv_keys);
    p->cv_keys = NULL;
    p->cv_key_count = 0;
}

void prof_names_forget(pTHX_ prof *p)
{
    prof_names_free(aTHX_ p);
    memset(p->calls, 0, PROF_CALLS * sizeof *p->calls); /* they know the names by what was held */
}

static uint32_t add_key(pTHX_ prof *p, HEK *package, HEK *name)
{
    uint32_t sub;
    if (prof_name_is_one_sub(name)) {
        whole_name n = name_from(aTHX_ package, name);
        sub = sub_named(p, &n);
    } else {
        sub = EVERY_ONE_ANOTHER;
    }
    if (p->cv_keys == NULL || p->cv_key_count >= p->cv_key_mask / 2)
        grow_keys(p);
    p->cv_keys[find_slot(p, package, name)] =
        (struct prof_cv_key){package, name, hold(aTHX_ package), hold(aTHX_ name), sub};
    p->cv_key_count++;
    return sub;
}

static uint32_t sub_of_new_key(pTHX_ prof *p, CV *cv, HEK *package, HEK *name)
{
    dSAVE_ERRNO;
    uint32_t sub;
    prof_note_rare(p);
    if (name == NULL) {
        sub = unknown_sub(aTHX_ p, cv);
    } else {
        uint32_t slot = p->cv_keys != NULL ? find_slot(p, package, name) : 0;
        sub = p->cv_keys != NULL && p->cv_keys[slot].name != NULL ? p->cv_keys[slot].sub
                                                                  : add_key(aTHX_ p, package, name);
    }
    if (sub == EVERY_ONE_ANOTHER) {
        whole_name n = name_from(aTHX_ package, name);
        sub = begin_sub(aTHX_ p, &n);
    }
    if (CvISXSUB(cv))
        p->subs[sub].xsub = true;
    RESTORE_ERRNO;
    return sub;
}

uint32_t prof_sub_of_cv(pTHX_ prof *p, CV *cv)
{
    HEK *package = NULL, *name = prof_name_of_cv(aTHX_ cv, &package);
    if (LIKELY(name != NULL && p->cv_keys != NULL)) {
        const struct prof_cv_key *key = &p->cv_keys[find_slot(p, package, name)];
        if (LIKELY(key->name != NULL && key->sub != EVERY_ONE_ANOTHER))
            return key->sub;
    }
    return sub_of_new_key(aTHX_ p, cv, package, name);
}

/* ---- without a CV ---- */

uint32_t prof_sub_of_gv(pTHX_ prof *p, GV *gv)
{
    dSAVE_ERRNO;
    whole_name n = name_from(aTHX_ HvNAME_HEK(GvSTASH(gv)), GvNAME_HEK(gv));
    uint32_t sub = sub_named(p, &n);
    RESTORE_ERRNO;
    return sub;
}

static uint32_t name_slowop(pTHX_ prof *p, HEK *package, int op_type)
{
    whole_name n = {0};
    if (p->options.slowops == 1) {
        n.package_length = 4;
        append_bytes(&n, "CORE::", 6);
    } else {
        append_part(aTHX_ & n, HEK_KEY(package), (STRLEN)HEK_LEN(package), HEK_UTF8(package));
        n.package_length = n.length;
        append_bytes(&n, "::CORE:", 7);
    }
    append_bytes(&n, PL_op_name[op_type], strlen(PL_op_name[op_type]));
    uint32_t sub = sub_named(p, &n);
    p->subs[sub].xsub = true;
    return sub;
}

uint32_t prof_sub_of_op(pTHX_ prof *p, int op_type)
{
    dSAVE_ERRNO;
    prof_note_rare(p);
    HEK *package, *op_name = prof_name_of_op(aTHX_ op_type, &package);
    if (p->cv_keys == NULL || p->cv_key_count >= p->cv_key_mask / 2)
        grow_keys(p);
    struct prof_cv_key *key = &p->cv_keys[find_slot(p, package, op_name)];
    if (key->name == NULL) {
        *key = (struct prof_cv_key){package, op_name, hold(aTHX_ package), NULL,
                                    name_slowop(aTHX_ p, package, op_type)};
        p->cv_key_count++;
    }
    RESTORE_ERRNO;
    return key->sub;
}

/* Of a sub's context that was entered without a frame: a BEGIN has no line then, and code in a pattern is
 * nobody. So is a sub that perl has left: it lets go of the CV while the context still stands, which may
 * destroy a closure, and objects with it.
 */
static uint32_t sub_of_context(pTHX_ prof *p, const PERL_CONTEXT *cx)
{
    CV *cv = cx->blk_sub.cv;
    HEK *package = NULL, *name = cv != NULL ? prof_name_of_cv(aTHX_ cv, &package) : NULL;
    if (name == NULL)
        return PROF_SUB_NONE;
    if (!hek_is(name, "BEGIN"))
        return prof_sub_of_cv(aTHX_ p, cv);
    whole_name n = name_from(aTHX_ package, name);
    return sub_named(p, &n);
}

/* The parser calls BEGIN blocks by a COP like any other; constants it folds by a copy of PL_compiling. */
static bool is_folding(pTHX)
{
    return PL_phase == PERL_PHASE_START && PL_curcop != NULL && PL_curcop != &PL_compiling &&
           PL_curcop->op_type != OP_NEXTSTATE && PL_curcop->op_type != OP_DBSTATE;
}

uint32_t prof_sub_outside(pTHX_ prof *p, I32 context)
{
    const PERL_SI *base = PL_curstackinfo;
    for (const PERL_SI *si = base; si != NULL; si = si->si_prev) {
        base = si;
        for (I32 i = si == PL_curstackinfo ? context : si->si_cxix; i >= 0; i--) {
            const PERL_CONTEXT *cx = &si->si_cxstack[i];
            if (LIKELY(CxTYPE(cx) != CXt_SUB && CxTYPE(cx) != CXt_FORMAT))
                continue;
            const uint32_t sub = sub_of_context(aTHX_ p, cx);
            if (sub != PROF_SUB_NONE)
                return sub;
        }
    }
    if (p->runtime_sub == PROF_SUB_NONE) {
        p->runtime_sub = plain_sub(p, "main::RUNTIME", 4);
        p->null_sub = plain_sub(p, "main::NULL", 4);
    }
    /* Perl runs no block, but destroys what one has left behind. */
    const bool is_left = base != NULL && base->si_cxix < 0;
    const bool runs = (PL_main_root != NULL && !is_left) || is_folding(aTHX);
    const uint32_t sub = runs ? p->runtime_sub : p->null_sub;
    p->subs[sub].called = p->subs[sub].seen = true;
    return sub;
}
