#include "names/subinfo.h"

#include "context.h"
#include "names/packages.h"
#include "basics/symbols.h"

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
    prof_sub *sub = &p->subs.at[number];
    write_info(p, fid, prof_sub_name(&p->subs, number), range->first_line, range->last_line);
    sub->info_fid = fid;
    sub->info_first = range->first_line;
    sub->info_last = range->last_line;
}

void prof_sub_info_write(pTHX_ prof *p, uint32_t number)
{
    const prof_sub *sub = &p->subs.at[number];
    nytp_str name = prof_sub_base_name(&p->subs, number);
    prof_range range = {NULL, 0, sub->first_line, sub->last_line};
    uint32_t fid = sub->fid;
    if (p->out == NULL || sub->info_fid != 0)
        return;
    if (fid == 0 && prof_sub_range(aTHX_ name.bytes, name.length, name.utf8, &range)) {
        if (p->options.stmts) /* the first statement of the sub will number its file */
            fid = prof_fid_if_known(&p->files, range.file, range.file_length);
        else
            fid = prof_fid(aTHX_ p, range.file, range.file_length, NYTP_FID_VIA_SUB);
    }
    if (fid != 0)
        write_info_of(p, number, fid, &range);
}

void prof_sub_mark_write(prof *p, uint32_t number)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS};
    prof_sub *sub = &p->subs.at[number];
    if (!sub->xsub || sub->mark_written)
        return;
    chunk.sub_callers.called = prof_sub_name(&p->subs, number);
    prof_output_chunk(p->out, &chunk);
    sub->mark_written = true;
}

void prof_sub_infos_catch_up(pTHX_ prof *p)
{
    for (uint32_t n = 0; n < prof_sub_count(&p->subs); n++) {
        const prof_sub *sub = &p->subs.at[n];
        if (sub->called && sub->info_fid == 0 && !sub->xsub)
            prof_sub_info_write(aTHX_ p, n);
    }
}

void prof_sub_infos_forget(prof *p)
{
    for (uint32_t n = 0; n < prof_sub_count(&p->subs); n++) {
        p->subs.at[n].mark_written = false;
        p->subs.at[n].info_fid = 0;
    }
}

/* Whether the BEGIN block that perl still has in %DB::sub was written, under a name of its own, when it was
 * called. */
static bool is_begin_written(prof *p, const char *name, STRLEN length, uint32_t fid, uint32_t first_line)
{
    const STRLEN package = prof_package_length(name, length);
    if (!prof_is_begin(name, length))
        return false;
    for (uint32_t n = 0; n < prof_sub_count(&p->subs); n++) {
        const prof_sub *sub = &p->subs.at[n];
        if (sub->fid == fid && sub->first_line == first_line && sub->info_fid != 0 &&
            sub->package_length == package && memcmp(prof_sub_name(&p->subs, n).bytes, name, package) == 0)
            return true;
    }
    return false;
}

/* A sub that was redefined since its first call is written once more. */
static void write_entry(pTHX_ prof *p, nytp_str name, const prof_range *range, void *unused)
{
    PERL_UNUSED_CONTEXT;
    PERL_UNUSED_VAR(unused);
    uint32_t fid = prof_fid_if_known(&p->files, range->file, range->file_length);
    int64_t number = nytp_strings_find(p->subs.names, name.bytes, name.length);
    if (fid == 0 || is_begin_written(p, name.bytes, name.length, fid, range->first_line))
        return;
    if (number < 0)
        write_info(p, fid, name, range->first_line, range->last_line);
    else if (!is_written(&p->subs.at[number], fid, range))
        write_info_of(p, (uint32_t)number, fid, range);
}

/* Writes a called sub that perl has no range for: an xsub, a built-in, or the main program. */
static void write_without_range(pTHX_ prof *p, const prof_packages *packages, uint32_t n)
{
    const prof_sub *sub = &p->subs.at[n];
    const bool is_runtime = n == p->subs.runtime;
    nytp_str name = prof_sub_base_name(&p->subs, n);
    prof_range range = {.first_line = is_runtime, .last_line = is_runtime};
    if (!sub->seen || !(sub->xsub || is_runtime) ||
        prof_sub_range(aTHX_ name.bytes, name.length, name.utf8, &range))
        return;
    const prof_package *package = prof_package_find(packages, name.bytes, sub->package_length);
    const prof_package_file *file = package == NULL ? NULL : is_runtime ? package->first : package->best;
    if (file != NULL && file->fid != 0)
        write_info_of(p, n, file->fid, &range);
}

/* Numbers the files that were compiled before the profile began, if subs of theirs were called. */
static prof_packages number_files(pTHX_ prof *p)
{
    prof_subs *subs = &p->subs;
    for (uint32_t n = 0; n < prof_sub_count(subs); n++) {
        nytp_str name = prof_sub_base_name(subs, n);
        prof_range range;
        if (subs->at[n].seen && prof_sub_range(aTHX_ name.bytes, name.length, name.utf8, &range))
            prof_fid(aTHX_ p, range.file, range.file_length, NYTP_FID_VIA_SUB);
    }
    prof_packages packages = prof_packages_collect(aTHX_ p);
    for (uint32_t n = 0; n < prof_sub_count(subs); n++) {
        if (!subs->at[n].seen || !subs->at[n].xsub)
            continue;
        prof_package *package =
            prof_package_find(&packages, prof_sub_name(subs, n).bytes, subs->at[n].package_length);
        if (package->best == NULL)
            continue;
        prof_package_file *file = package->best;
        if (file->fid == 0)
            file->fid = prof_fid(aTHX_ p, file->name, file->length, NYTP_FID_VIA_SUB);
        if (package->first == NULL)
            package->first = file;
    }
    return packages;
}

void prof_sub_infos_write_rest(pTHX_ prof *p)
{
    prof_packages packages = number_files(aTHX_ p);
    for (uint32_t n = 0; n < prof_sub_count(&p->subs); n++)
        if (p->subs.at[n].seen && p->subs.at[n].fid != 0)
            prof_sub_info_write(aTHX_ p, n);
    prof_sub_ranges_each(aTHX_ p, write_entry, NULL);
    for (uint32_t n = 0; n < prof_sub_count(&p->subs); n++)
        write_without_range(aTHX_ p, &packages, n);
    prof_packages_free(&packages);
}
