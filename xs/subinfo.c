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

static void write_info(prof *p, uint32_t fid, nytp_str name, uint32_t first_line, uint32_t last_line)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_INFO};
    chunk.sub_info.fid = fid;
    chunk.sub_info.name = name;
    chunk.sub_info.first_line = first_line;
    chunk.sub_info.last_line = last_line;
    prof_output_chunk(p->out, &chunk);
}

void prof_sub_info_write(pTHX_ prof *p, uint32_t number)
{
    prof_sub *sub = &p->subs[number];
    nytp_str name = prof_sub_name(p, number);
    prof_range range = {NULL, 0, sub->first_line, sub->last_line};
    uint32_t fid = sub->fid;
    if (p->out == NULL || sub->info_written)
        return;
    if (fid == 0 && prof_sub_range(aTHX_ name.bytes, name.length, name.utf8, &range))
        fid = prof_fid_if_known(p, range.file, range.file_length);
    if (fid == 0)
        return;
    write_info(p, fid, name, range.first_line, range.last_line);
    sub->info_written = true;
}

void prof_sub_infos_catch_up(pTHX_ prof *p)
{
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++)
        if (p->subs[n].called && !p->subs[n].info_written && !p->subs[n].xsub)
            prof_sub_info_write(aTHX_ p, n);
}

void prof_sub_infos_forget(prof *p)
{
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++)
        p->subs[n].info_written = p->subs[n].mark_written = p->subs[n].called = false;
}

/* ---- at the end ---- */

/* Files of packages, the lowest fid of their subs: for their xsubs. */
typedef struct package_files {
    prof_table *names;
    uint32_t *fids;
    uint32_t room;
} package_files;

static void note_package(package_files *files, const char *name, STRLEN length, uint32_t fid)
{
    uint32_t before = prof_table_count(files->names);
    uint32_t number = (uint32_t)prof_table_find(files->names, name, length, true);
    if (number < before) {
        files->fids[number] = files->fids[number] < fid ? files->fids[number] : fid;
        return;
    }
    if (number >= files->room) {
        files->room = files->room * 2 + 64;
        files->fids = prof_realloc(files->fids, files->room * sizeof *files->fids);
    }
    files->fids[number] = fid;
}

static STRLEN package_length(const char *name, STRLEN length)
{
    while (length >= 2 && (name[length - 1] != ':' || name[length - 2] != ':'))
        length--;
    return length >= 2 ? length - 2 : 0;
}

/* The BEGIN that perl still has in %DB::sub was written under a name of its own when it was called. */
static bool is_begin_written(prof *p, const char *name, STRLEN length, uint32_t fid, uint32_t first_line)
{
    const STRLEN package = package_length(name, length);
    if (length - package != 7 || memcmp(name + package, "::BEGIN", 7) != 0)
        return false;
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++)
        if (p->subs[n].fid == fid && p->subs[n].first_line == first_line && p->subs[n].info_written &&
            p->subs[n].package_length == package && memcmp(prof_sub_name(p, n).bytes, name, package) == 0)
            return true;
    return false;
}

/* One entry of %DB::sub. */
static void write_entry(pTHX_ prof *p, package_files *files, HE *entry)
{
    STRLEN length;
    const char *name = HePV(entry, length);
    SV *value = HeVAL(entry);
    prof_range range;
    if (!SvPOK(value) || !parse_range(SvPVX(value), SvCUR(value), &range))
        return;
    uint32_t fid = prof_fid_if_known(p, range.file, range.file_length);
    if (fid == 0)
        return;
    note_package(files, name, package_length(name, length), fid);
    int64_t number = prof_table_find(p->sub_names, name, length, false);
    if (number >= 0 && p->subs[number].info_written)
        return;
    if (is_begin_written(p, name, length, fid, range.first_line))
        return;
    write_info(p, fid, (nytp_str){name, length, HeUTF8(entry)}, range.first_line, range.last_line);
}

/* Called subs that perl has no range for: xsubs, built-ins, the main program. */
static void write_without_range(pTHX_ prof *p, const package_files *files, uint32_t n)
{
    const prof_sub *sub = &p->subs[n];
    nytp_str name = prof_sub_name(p, n);
    prof_range range;
    const uint32_t line = n == p->runtime_sub ? 1 : 0;
    if (!sub->called || !(sub->xsub || line != 0) || prof_sub_range(aTHX_ name.bytes, name.length, name.utf8, &range))
        return;
    int64_t package = prof_table_find(files->names, name.bytes, sub->package_length, false);
    if (package >= 0)
        write_info(p, files->fids[package], name, line, line);
}

/* Files that were compiled before the profile began are numbered last, if subs of theirs were called. */
static void number_files(pTHX_ prof *p)
{
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++) {
        nytp_str name = prof_sub_name(p, n);
        prof_range range;
        if (p->subs[n].called && prof_sub_range(aTHX_ name.bytes, name.length, name.utf8, &range))
            prof_fid(aTHX_ p, range.file, range.file_length, false, NYTP_FID_VIA_SUB);
    }
}

void prof_sub_infos_write(pTHX_ prof *p)
{
    number_files(aTHX_ p);
    HV *ranges = PL_DBsub != NULL ? GvHV(PL_DBsub) : NULL;
    package_files files = {.names = prof_table_new()};
    HE *entry;
    if (ranges != NULL) {
        hv_iterinit(ranges);
        while ((entry = hv_iternext(ranges)) != NULL)
            write_entry(aTHX_ p, &files, entry);
    }
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++)
        write_without_range(aTHX_ p, &files, n);
    prof_table_free(files.names);
    free(files.fids);
}
