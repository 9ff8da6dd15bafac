#include "packages.h"

#include "context.h"
#include "alloc.h"
#include "subranges.h"

bool prof_is_begin(const char *name, STRLEN length)
{
    return length >= 7 && memcmp(name + length - 7, "::BEGIN", 7) == 0;
}

STRLEN prof_package_length(const char *name, STRLEN length)
{
    while (length >= 2 && (name[length - 1] != ':' || name[length - 2] != ':'))
        length--;
    return length >= 2 ? length - 2 : 0;
}

/* Whether the file that a has is better than that of range. */
static bool has_better_file(const prof_package *a, const prof_range *range, bool of_begin)
{
    if (a->of_begin != of_begin)
        return of_begin;
    STRLEN both = a->file_length < range->file_length ? a->file_length : range->file_length;
    int order = memcmp(a->file, range->file, both);
    if (prof_is_eval(a->file, a->file_length) != prof_is_eval(range->file, range->file_length))
        return prof_is_eval(range->file, range->file_length);
    return order < 0 || (order == 0 && a->file_length <= range->file_length);
}

static bool is_better_fid(const prof_files *files, uint32_t fid, uint32_t than)
{
    bool eval = files->at[fid - 1].eval_fid != 0, than_eval = files->at[than - 1].eval_fid != 0;
    return eval != than_eval ? than_eval : fid < than;
}

/* Returns the package, which is added if it is new. */
static prof_package *package_of(prof_packages *packages, const char *name, STRLEN length)
{
    uint32_t before = prof_table_count(packages->names);
    uint32_t number = (uint32_t)prof_table_find(packages->names, name, length, true);
    packages->at = prof_grow(packages->at, &packages->cap, number, sizeof *packages->at);
    if (number == before)
        packages->at[number] = (prof_package){0};
    return &packages->at[number];
}

static void add_fid(const prof *p, prof_package *package, uint32_t fid)
{
    if (package->fid == 0 || is_better_fid(&p->files, fid, package->fid))
        package->fid = fid;
}

static void add_file(prof_package *package, const prof_range *range, bool of_begin)
{
    if (package->file != NULL && has_better_file(package, range, of_begin))
        return;
    package->file = range->file;
    package->file_length = range->file_length;
    package->of_begin = of_begin;
}

static void add_sub(pTHX_ prof *p, nytp_str name, const prof_range *range, void *packages)
{
    prof_package *package = package_of(packages, name.bytes, prof_package_length(name.bytes, name.length));
    const uint32_t fid = prof_fid_if_known(&p->files, range->file, range->file_length);
    PERL_UNUSED_CONTEXT;
    if (fid != 0)
        add_fid(p, package, fid);
    else
        add_file(package, range, prof_is_begin(name.bytes, name.length));
}

prof_packages prof_packages_collect(pTHX_ prof *p)
{
    prof_packages packages = {.names = prof_table_new()};
    const prof_subs *subs = &p->subs;
    for (uint32_t n = 0; n < prof_sub_count(subs); n++)
        if (subs->at[n].fid != 0)
            add_fid(p, package_of(&packages, prof_sub_name(subs, n).bytes, subs->at[n].package_length),
                    subs->at[n].fid);
    prof_sub_ranges_each(aTHX_ p, add_sub, &packages);
    return packages;
}

prof_package *prof_package_find(const prof_packages *packages, const char *name, STRLEN length)
{
    const int64_t number = prof_table_find(packages->names, name, length, false);
    return number >= 0 ? &packages->at[number] : NULL;
}

void prof_packages_free(prof_packages *packages)
{
    prof_table_free(packages->names);
    free(packages->at);
}
