/* Where subs stand: SUB_INFO, from what perl notes in %DB::sub. */
#include "context.h"

/* "FILE:FIRST-LAST"; the file may hold colons and dashes itself. */
static bool parse_range(const char *text, STRLEN length, prof_range *range)
{
    const char *dash = text + length, *colon;
    while (dash > text && *dash != '-')
        dash--;
    for (colon = dash; colon > text && *colon != ':'; colon--)
        ;
    if (colon == text)
        return false;
    range->file = text;
    range->file_length = (STRLEN)(colon - text);
    range->first_line = (uint32_t)strtoul(colon + 1, NULL, 10);
    range->last_line = (uint32_t)strtoul(dash + 1, NULL, 10);
    return true;
}

bool prof_sub_range(pTHX_ const char *name, STRLEN length, bool utf8, prof_range *range)
{
    HV *ranges = PL_DBsub != NULL ? GvHV(PL_DBsub) : NULL;
    SV **found = ranges != NULL ? hv_fetch(ranges, name, utf8 ? -(I32)length : (I32)length, 0) : NULL;
    if (found == NULL || !SvPOK(*found))
        return false;
    return parse_range(SvPVX(*found), SvCUR(*found), range);
}

/* Past perl's iterator, which the program may be using, and what it may have tied the hash to. */
static void each_entry(pTHX_ prof *p,
                       void (*act)(pTHX_ prof *p, nytp_str name, const prof_range *range, void *context),
                       void *context)
{
    HV *ranges = PL_DBsub != NULL ? GvHV(PL_DBsub) : NULL;
    prof_range range;
    if (ranges == NULL || HvARRAY(ranges) == NULL)
        return;
    for (STRLEN n = 0; n <= HvMAX(ranges); n++) {
        for (HE *entry = HvARRAY(ranges)[n]; entry != NULL; entry = HeNEXT(entry)) {
            STRLEN length;
            const char *name = HePV(entry, length);
            SV *value = HeVAL(entry);
            if (SvPOK(value) && parse_range(SvPVX(value), SvCUR(value), &range))
                act(aTHX_ p, (nytp_str){name, length, HeUTF8(entry)}, &range, context);
        }
    }
}

static void write_info(prof *p, uint32_t fid, nytp_str name, uint32_t first_line, uint32_t last_line)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_INFO};
    chunk.sub_info.fid = fid;
    chunk.sub_info.name = name;
    chunk.sub_info.first_line = first_line;
    chunk.sub_info.last_line = last_line;
    prof_output_chunk(p->out, &chunk);
}

static bool is_written(const prof_sub *sub, uint32_t fid, const prof_range *range)
{
    return sub->info_fid == fid && sub->info_first == range->first_line && sub->info_last == range->last_line;
}

static void write_info_of(prof *p, uint32_t number, uint32_t fid, const prof_range *range)
{
    prof_sub *sub = &p->subs[number];
    write_info(p, fid, prof_sub_name(p, number), range->first_line, range->last_line);
    sub->info_fid = fid;
    sub->info_first = range->first_line;
    sub->info_last = range->last_line;
}

void prof_sub_info_write(pTHX_ prof *p, uint32_t number)
{
    const prof_sub *sub = &p->subs[number];
    nytp_str name = prof_sub_name(p, number);
    prof_range range = {NULL, 0, sub->first_line, sub->last_line};
    uint32_t fid = sub->fid;
    if (p->out == NULL || sub->info_fid != 0)
        return;
    if (fid == 0 && prof_sub_range(aTHX_ name.bytes, name.length, name.utf8, &range)) {
        if (p->options.stmts) /* the first statement of the sub will make its file known */
            fid = prof_fid_if_known(p, range.file, range.file_length);
        else
            fid = prof_fid(aTHX_ p, range.file, range.file_length, false, NYTP_FID_VIA_SUB);
    }
    if (fid != 0)
        write_info_of(p, number, fid, &range);
}

void prof_sub_infos_catch_up(pTHX_ prof *p)
{
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++)
        if (p->subs[n].called && p->subs[n].info_fid == 0 && !p->subs[n].xsub)
            prof_sub_info_write(aTHX_ p, n);
}

void prof_sub_infos_forget(prof *p)
{
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++) {
        p->subs[n].info_fid = 0;
        p->subs[n].mark_written = p->subs[n].called = false;
    }
}

/* ---- files of packages: for what has no place of its own, as xsubs ---- */

/* The lowest fid of a package's subs; or, if none has one, the first of their files by name. Only if there is
 * no other, that of an eval, or of a BEGIN: one above the "package" in a file bears the name of the package
 * that the file was required in. */
typedef struct package_file {
    uint32_t fid;
    const char *file; /* in perl's string */
    STRLEN file_length;
    bool of_begin;
} package_file;

typedef struct package_files {
    prof_table *names;
    package_file *at;
    uint32_t room;
} package_files;

static bool is_begin(const char *name, STRLEN length)
{
    return length >= 7 && memcmp(name + length - 7, "::BEGIN", 7) == 0;
}

/* A file tells more than an eval in it. */
static bool comes_before(const package_file *a, const prof_range *range, bool of_begin)
{
    if (a->of_begin != of_begin)
        return of_begin;
    STRLEN both = a->file_length < range->file_length ? a->file_length : range->file_length;
    int order = memcmp(a->file, range->file, both);
    if (prof_is_eval(a->file, a->file_length) != prof_is_eval(range->file, range->file_length))
        return prof_is_eval(range->file, range->file_length);
    return order < 0 || (order == 0 && a->file_length <= range->file_length);
}

static bool is_better(const prof *p, uint32_t fid, uint32_t than)
{
    bool eval = p->files[fid - 1].eval_fid != 0, than_eval = p->files[than - 1].eval_fid != 0;
    return eval != than_eval ? than_eval : fid < than;
}

static package_file *package_at(package_files *files, const char *name, STRLEN length)
{
    uint32_t before = prof_table_count(files->names);
    uint32_t number = (uint32_t)prof_table_find(files->names, name, length, true);
    if (number >= files->room || files->at == NULL) {
        files->room = files->room * 2 + 64;
        files->at = prof_realloc(files->at, files->room * sizeof *files->at);
    }
    if (number == before)
        files->at[number] = (package_file){0};
    return &files->at[number];
}

static void note_fid(const prof *p, package_file *at, uint32_t fid)
{
    at->fid = at->fid == 0 || is_better(p, fid, at->fid) ? fid : at->fid;
}

static void note_file(package_file *at, const prof_range *range, bool of_begin)
{
    if (at->file != NULL && comes_before(at, range, of_begin))
        return;
    at->file = range->file;
    at->file_length = range->file_length;
    at->of_begin = of_begin;
}

static STRLEN package_length(const char *name, STRLEN length)
{
    while (length >= 2 && (name[length - 1] != ':' || name[length - 2] != ':'))
        length--;
    return length >= 2 ? length - 2 : 0;
}

static void note_entry(pTHX_ prof *p, nytp_str name, const prof_range *range, void *files)
{
    package_file *at = package_at(files, name.bytes, package_length(name.bytes, name.length));
    const uint32_t fid = prof_fid_if_known(p, range->file, range->file_length);
    if (fid != 0)
        note_fid(p, at, fid);
    else
        note_file(at, range, is_begin(name.bytes, name.length));
}

static void note_packages(pTHX_ prof *p, package_files *files)
{
    files->names = prof_table_new();
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++)
        if (p->subs[n].fid != 0)
            note_fid(p, package_at(files, prof_sub_name(p, n).bytes, p->subs[n].package_length),
                     p->subs[n].fid);
    each_entry(aTHX_ p, note_entry, files);
}

static void free_packages(package_files *files)
{
    prof_table_free(files->names);
    free(files->at);
}

/* ---- at the end ---- */

/* The BEGIN that perl still has in %DB::sub was written under a name of its own when it was called. */
static bool is_begin_written(prof *p, const char *name, STRLEN length, uint32_t fid, uint32_t first_line)
{
    const STRLEN package = package_length(name, length);
    if (!is_begin(name, length))
        return false;
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++)
        if (p->subs[n].fid == fid && p->subs[n].first_line == first_line && p->subs[n].info_fid != 0 &&
            p->subs[n].package_length == package && memcmp(prof_sub_name(p, n).bytes, name, package) == 0)
            return true;
    return false;
}

/* A sub that was defined anew since it was first called is written once more. */
static void write_entry(pTHX_ prof *p, nytp_str name, const prof_range *range, void *unused)
{
    PERL_UNUSED_VAR(unused);
    uint32_t fid = prof_fid_if_known(p, range->file, range->file_length);
    int64_t number = prof_table_find(p->sub_names, name.bytes, name.length, false);
    if (fid == 0 || is_begin_written(p, name.bytes, name.length, fid, range->first_line))
        return;
    if (number < 0)
        write_info(p, fid, name, range->first_line, range->last_line);
    else if (!is_written(&p->subs[number], fid, range))
        write_info_of(p, (uint32_t)number, fid, range);
}

/* Called subs that perl has no range for: xsubs, built-ins, the main program. */
static void write_without_range(pTHX_ prof *p, const package_files *files, uint32_t n)
{
    const prof_sub *sub = &p->subs[n];
    nytp_str name = prof_sub_name(p, n);
    prof_range range = {.first_line = n == p->runtime_sub, .last_line = n == p->runtime_sub};
    if (!sub->seen || !(sub->xsub || n == p->runtime_sub) ||
        prof_sub_range(aTHX_ name.bytes, name.length, name.utf8, &range))
        return;
    int64_t package = prof_table_find(files->names, name.bytes, sub->package_length, false);
    if (package >= 0 && files->at != NULL && files->at[package].fid != 0)
        write_info_of(p, n, files->at[package].fid, &range);
}

/* Files that were compiled before the profile began are numbered last, if subs of theirs were called. */
static void number_files(pTHX_ prof *p, package_files *files)
{
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++) {
        nytp_str name = prof_sub_name(p, n);
        prof_range range;
        if (p->subs[n].seen && prof_sub_range(aTHX_ name.bytes, name.length, name.utf8, &range))
            prof_fid(aTHX_ p, range.file, range.file_length, false, NYTP_FID_VIA_SUB);
    }
    note_packages(aTHX_ p, files);
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++) {
        int64_t package =
            prof_table_find(files->names, prof_sub_name(p, n).bytes, p->subs[n].package_length, false);
        package_file *at = package >= 0 ? &files->at[package] : NULL;
        if (p->subs[n].seen && p->subs[n].xsub && at != NULL && at->fid == 0)
            at->fid = prof_fid(aTHX_ p, at->file, at->file_length, false, NYTP_FID_VIA_SUB);
    }
}

void prof_sub_infos_write(pTHX_ prof *p)
{
    package_files files = {0};
    number_files(aTHX_ p, &files);
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++)
        if (p->subs[n].seen && p->subs[n].fid != 0)
            prof_sub_info_write(aTHX_ p, n);
    each_entry(aTHX_ p, write_entry, NULL);
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++)
        write_without_range(aTHX_ p, &files, n);
    free_packages(&files);
}
