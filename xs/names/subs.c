#include "names/subs.h"

#include "hot.h"
#include "basics/alloc.h"

/* A value of prof_cv_key.sub: each CV with that name is a sub of its own. */
#define EACH_CV_APART (PROF_SUB_NONE - 1)

void prof_subs_init(prof_subs *subs)
{
    subs->names = prof_strings_new();
    subs->runtime = subs->null = subs->span = PROF_SUB_NONE;
}

void prof_subs_free(prof_subs *subs)
{
    for (uint32_t i = 0; i < prof_sub_count(subs); i++) {
        free(subs->at[i].encoded);
        free(subs->at[i].whole_text);
    }
    nytp_strings_free(subs->names);
    free(subs->at);
    free(subs->code);
}

uint32_t prof_sub_count(const prof_subs *subs)
{
    return nytp_strings_count(subs->names);
}

nytp_str prof_sub_name(const prof_subs *subs, uint32_t sub)
{
    const prof_sub *s = &subs->at[sub];
    nytp_cursor c = {.at = s->encoded, .end = s->encoded + s->encoded_length};
    return nytp_get_str(&c);
}

nytp_str prof_sub_base_name(const prof_subs *subs, uint32_t sub)
{
    const uint32_t base = subs->at[sub].base;
    return prof_sub_name(subs, base > 0 ? base - 1 : sub);
}

/* Writes to subs that were called only: a forked child would copy all pages of the array. */
void prof_subs_forget_output(prof_subs *subs)
{
    for (uint32_t n = 0; n < prof_sub_count(subs); n++) {
        prof_sub *s = &subs->at[n];
        if (s->info_fid == 0 && !s->mark_written && !s->called)
            continue;
        s->info_fid = 0;
        s->mark_written = s->called = false;
    }
}

static prof_exits exits_of(const prof_name *n)
{
    static const char exit[] = "::_exit";
    const STRLEN at = n->length - strlen(exit);
    if (n->length < strlen(exit) || memcmp(n->bytes + at, exit, strlen(exit)) != 0)
        return PROF_RETURNS;
    return at == strlen("POSIX") && memcmp(n->bytes, "POSIX", at) == 0 ? PROF_EXITS : PROF_MAY_EXIT;
}

static void add_sub(prof_subs *subs, uint32_t number, const prof_name *n)
{
    prof_sub sub = {.package_length = (uint32_t)n->package_length};
    nytp_str name = {n->bytes, n->length, n->utf8};
    sub.encoded = prof_alloc(n->length + NYTP_STR_HEAD_MAX + NYTP_PAD); /* a cursor reads past its end */
    sub.encoded_length = (size_t)(nytp_put_str(sub.encoded, name) - sub.encoded);
    sub.exits = (uint8_t)exits_of(n);
    subs->at = prof_grow(subs->at, &subs->cap, number, sizeof *subs->at);
    subs->at[number] = sub;
    subs->code = prof_grow(subs->code, &subs->code_cap, number, sizeof *subs->code);
    subs->code[number] = NULL;
}

/* Returns the number of the sub with that name, and frees the bytes of the name. */
static uint32_t number_name(prof_subs *subs, prof_name *n)
{
    uint32_t before = prof_sub_count(subs);
    uint32_t number = prof_strings_intern(subs->names, n->bytes, n->length);
    if (number == before)
        add_sub(subs, number, n);
    free(n->bytes);
    return number;
}

uint32_t prof_sub_named(prof *p, const char *name, STRLEN package_length)
{
    prof_name n = {.package_length = package_length};
    prof_name_append(&n, name, strlen(name));
    return number_name(&p->subs, &n);
}

static prof_name name_with_label(pTHX_ prof *p, uint32_t base, const char *label, STRLEN length)
{
    const nytp_str name = prof_sub_name(&p->subs, base);
    prof_name n = {0};
    bool is_ascii = true;
    for (STRLEN i = 0; i < length; i++)
        is_ascii &= (U8)label[i] < 0x80;
    prof_name_append_part(aTHX_ & n, name.bytes, name.length, name.utf8);
    prof_name_append(&n, " ", 1);
    prof_name_append_part(aTHX_ & n, label, length, !is_ascii);
    n.package_length = p->subs.at[base].package_length;
    return n;
}

uint32_t prof_sub_find_labelled(pTHX_ prof *p, uint32_t base, const char *label, STRLEN length)
{
    const prof_name n = name_with_label(aTHX_ p, base, label, length);
    const int64_t number = nytp_strings_find(p->subs.names, n.bytes, n.length);
    free(n.bytes);
    return number >= 0 ? (uint32_t)number : PROF_SUB_NONE;
}

uint32_t prof_sub_add_labelled(pTHX_ prof *p, uint32_t base, const char *label, STRLEN length)
{
    prof_name n = name_with_label(aTHX_ p, base, label, length);
    const uint32_t sub = number_name(&p->subs, &n);
    p->subs.at[sub].base = base + 1;
    p->subs.at[sub].xsub = p->subs.at[base].xsub;
    return sub;
}

/* Names a BEGIN block after the line where it begins: "main::BEGIN@4", and "main::BEGIN@4.N" if that is
 * taken. perl keeps one %DB::sub entry for all BEGINs of a package, which is that of the one being called. */
static uint32_t number_begin(pTHX_ prof *p, prof_name *n)
{
    prof_subs *subs = &p->subs;
    prof_range range = {.first_line = (uint32_t)CopLINE(PL_curcop)};
    bool known = prof_sub_range(aTHX_ n->bytes, n->length, n->utf8, &range);
    char end[32];
    prof_name_append(n, end, (STRLEN)my_snprintf(end, sizeof end, "@%u", (unsigned)range.first_line));
    if (nytp_strings_find(subs->names, n->bytes, n->length) >= 0)
        prof_name_append(n, end,
                         (STRLEN)my_snprintf(end, sizeof end, ".%u", (unsigned)++subs->begin_duplicates));
    uint32_t sub = number_name(subs, n);
    if (known) {
        subs->at[sub].fid = prof_fid(aTHX_ p, range.file, range.file_length, NYTP_FID_VIA_SUB);
        subs->at[sub].first_line = range.first_line;
        subs->at[sub].last_line = range.last_line;
    }
    return sub;
}

static bool is_begin(const HEK *name)
{
    return HEK_LEN(name) == 5 && memcmp(HEK_KEY(name), "BEGIN", 5) == 0;
}

bool prof_name_is_one_sub(const HEK *name)
{
    return !is_begin(name);
}

/* A CV without a name is "PACKAGE::__UNKNOWN__[FILE:LINE]". */
static uint32_t number_nameless(pTHX_ prof *p, CV *cv)
{
    char end[64];
    prof_name n = {0};
    const OP *start = CvISXSUB(cv) ? NULL : CvSTART(cv);
    const COP *cop = start != NULL && start->op_type == OP_NEXTSTATE ? (const COP *)start : NULL;
    prof_name_append_package(aTHX_ & n, prof_hek_of_stash(CvSTASH(cv)));
    prof_name_append(&n, "::__UNKNOWN__[", 14);
    const char *file = cop != NULL ? CopFILE(cop) : NULL;
    if (file != NULL)
        prof_name_append(&n, file, strlen(file));
    my_snprintf(end, sizeof end, ":%u]", cop != NULL ? (unsigned)CopLINE(cop) : 0);
    prof_name_append(&n, end, strlen(end));
    return number_name(&p->subs, &n);
}

static uint32_t add_key(pTHX_ prof *p, HEK *package, HEK *name)
{
    uint32_t sub = EACH_CV_APART;
    if (prof_name_is_one_sub(name)) {
        prof_name n = prof_name_join(aTHX_ package, name);
        sub = number_name(&p->subs, &n);
    }
    return prof_cv_key_add(&p->cv_keys, package, name, true, sub);
}

static uint32_t sub_of_new_cv(pTHX_ prof *p, CV *cv, HEK *package, HEK *name)
{
    dSAVE_ERRNO;
    uint32_t sub;
    prof_probe_note_unusual(p);
    if (name == NULL) {
        sub = number_nameless(aTHX_ p, cv);
    } else {
        const prof_cv_key *key = prof_cv_key_find(&p->cv_keys, package, name);
        sub = key != NULL ? key->sub : add_key(aTHX_ p, package, name);
    }
    if (sub == EACH_CV_APART) {
        prof_name n = prof_name_join(aTHX_ package, name);
        sub = number_begin(aTHX_ p, &n);
    }
    if (CvISXSUB(cv))
        p->subs.at[sub].xsub = true;
    RESTORE_ERRNO;
    return sub;
}

uint32_t prof_sub_of_cv(pTHX_ prof *p, CV *cv)
{
    HEK *package = NULL, *name = prof_name_of_cv(aTHX_ cv, &package);
    if (LIKELY(name != NULL)) {
        const prof_cv_key *key = prof_cv_key_find(&p->cv_keys, package, name);
        if (LIKELY(key != NULL && key->sub != EACH_CV_APART))
            return key->sub;
    }
    return sub_of_new_cv(aTHX_ p, cv, package, name);
}

uint32_t prof_sub_of_any_begin(pTHX_ prof *p, CV *cv)
{
    HEK *package = NULL, *name = prof_name_of_cv(aTHX_ cv, &package);
    if (name == NULL)
        return PROF_SUB_NONE;
    if (!is_begin(name))
        return prof_sub_of_cv(aTHX_ p, cv);
    prof_name n = prof_name_join(aTHX_ package, name);
    return number_name(&p->subs, &n);
}

uint32_t prof_sub_of_gv(pTHX_ prof *p, GV *gv)
{
    dSAVE_ERRNO;
    prof_name n = prof_name_join(aTHX_ prof_hek_of_stash(GvSTASH(gv)), GvNAME_HEK(gv));
    uint32_t sub = number_name(&p->subs, &n);
    RESTORE_ERRNO;
    return sub;
}

static uint32_t number_builtin(pTHX_ prof *p, HEK *package, int op_type)
{
    prof_name n = {0};
    if (p->options.slowops == 1) {
        n.package_length = 4;
        prof_name_append(&n, "CORE::", 6);
    } else {
        prof_name_append_package(aTHX_ & n, package);
        prof_name_append(&n, "::CORE:", 7);
    }
    prof_name_append(&n, PL_op_name[op_type], strlen(PL_op_name[op_type]));
    uint32_t sub = number_name(&p->subs, &n);
    p->subs.at[sub].xsub = true;
    return sub;
}

uint32_t prof_sub_of_op(pTHX_ prof *p, int op_type)
{
    dSAVE_ERRNO;
    prof_probe_note_unusual(p);
    HEK *package, *op_name = prof_name_of_op(aTHX_ op_type, &package);
    const prof_cv_key *key = prof_cv_key_find(&p->cv_keys, package, op_name);
    const uint32_t sub = key != NULL ? key->sub
                                     : prof_cv_key_add(&p->cv_keys, package, op_name, false,
                                                       number_builtin(aTHX_ p, package, op_type));
    RESTORE_ERRNO;
    return sub;
}

static bool begins_word(char c)
{
    return isALPHA(c) || c == '_' || (U8)c >= 0x80;
}

/* The length of "A/B" in "A/B.pm", the file of a module A::B; 0 for other files. */
static STRLEN module_length(const char *file, STRLEN length)
{
    if (length < 4 || memcmp(file + length - 3, ".pm", 3) != 0)
        return 0;
    length -= 3;
    bool at_begin = true;
    for (STRLEN i = 0; i < length; i++) {
        if (at_begin ? !begins_word(file[i]) : !(begins_word(file[i]) || isDIGIT(file[i]) || file[i] == '/'))
            return 0;
        at_begin = file[i] == '/';
    }
    return at_begin ? 0 : length;
}

/* "A::B::CORE:require": the package is the module that is loaded, otherwise the name of the file. */
uint32_t prof_sub_of_load(pTHX_ prof *p, int op_type, SV *file)
{
    dSAVE_ERRNO;
    prof_name n = {0};
    const char *bytes = SvPVX_const(file), *end = bytes + SvCUR(file);
    const STRLEN module = module_length(bytes, SvCUR(file));
    prof_probe_note_unusual(p);
    for (const char *slash; module > 0 && (slash = memchr(bytes, '/', (size_t)(end - bytes))) != NULL;
         bytes = slash + 1) {
        prof_name_append_part(aTHX_ & n, bytes, (STRLEN)(slash - bytes), SvUTF8(file));
        prof_name_append(&n, "::", 2);
    }
    prof_name_append_part(aTHX_ & n, bytes, (STRLEN)(end - bytes) - (module > 0 ? 3 : 0), SvUTF8(file));
    n.package_length = n.length;
    prof_name_append(&n, "::CORE:", 7);
    prof_name_append(&n, PL_op_name[op_type], strlen(PL_op_name[op_type]));
    const uint32_t sub = number_name(&p->subs, &n);
    p->subs.at[sub].xsub = true;
    RESTORE_ERRNO;
    return sub;
}
