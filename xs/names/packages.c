#include "names/packages.h"

#include "context.h"
#include "basics/alloc.h"
#include "basics/symbols.h"

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

/* Returns the file of a package, which is added if it is new. */
static prof_package_file *file_of(prof *p, prof_packages *packages, uint32_t package, uint32_t fid,
                                  const prof_range *range)
{
    prof_package_file file = {
        .package = package, .fid = fid, .name = range->file, .length = range->file_length};
    uint32_t key[2] = {package, fid}, before = nytp_strings_count(packages->file_keys);
    if (fid == 0) /* numbered from the upper end, where there are no fids */
        key[1] = ~prof_strings_intern(packages->unknown_files, range->file, range->file_length);
    uint32_t number = prof_strings_intern(packages->file_keys, key, sizeof key);
    packages->files = prof_grow(packages->files, &packages->files_cap, number, sizeof *packages->files);
    if (number == before) {
        file.eval =
            fid != 0 ? p->files.at[fid - 1].eval_fid != 0 : prof_is_eval(range->file, range->file_length);
        packages->files[number] = file;
    }
    return &packages->files[number];
}

static void add_sub(pTHX_ prof *p, nytp_str name, const prof_range *range, void *context)
{
    prof_packages *packages = context;
    const STRLEN length = prof_package_length(name.bytes, name.length);
    const int64_t package = nytp_strings_find(packages->names, name.bytes, length);
    PERL_UNUSED_CONTEXT;
    if (package < 0)
        return;
    const uint32_t fid = prof_fid_if_known(&p->files, range->file, range->file_length);
    prof_package_file *file = file_of(p, packages, (uint32_t)package, fid, range);
    if (range->first_line > range->last_line)
        return;
    file->proper = true;
    file->subs += !prof_is_begin(name.bytes, name.length);
}

/* Adds the file of a BEGIN block that was called: perl has forgotten where it was. */
static void add_begin(prof *p, prof_packages *packages, uint32_t sub)
{
    const prof_sub *begin = &p->subs.at[sub];
    const prof_range range = {.first_line = begin->first_line, .last_line = begin->last_line};
    const char *name = prof_sub_name(&p->subs, sub).bytes;
    const int64_t package = nytp_strings_find(packages->names, name, begin->package_length);
    if (package >= 0)
        file_of(p, packages, (uint32_t)package, begin->fid, &range)->proper |=
            range.first_line <= range.last_line;
}

/* Returns whether a comes before b, which is of the same package, by fid or by name. */
static bool is_before(const prof_package_file *a, const prof_package_file *b)
{
    if (a->fid != 0 || b->fid != 0)
        return a->fid < b->fid;
    const int order = memcmp(a->name, b->name, a->length < b->length ? a->length : b->length);
    return order < 0 || (order == 0 && a->length < b->length);
}

/* Evals come after all files. */
static bool is_earlier(const prof_package_file *a, const prof_package_file *b)
{
    return a->eval != b->eval ? b->eval : is_before(a, b);
}

static bool is_better(const prof_package_file *a, const prof_package_file *b)
{
    if (a->proper != b->proper)
        return a->proper;
    if ((a->fid != 0) != (b->fid != 0))
        return a->fid != 0;
    if (a->eval == b->eval && a->subs != b->subs)
        return a->subs > b->subs;
    return is_earlier(a, b);
}

static void choose(prof_packages *packages)
{
    for (uint32_t n = 0; n < nytp_strings_count(packages->file_keys); n++) {
        prof_package_file *file = &packages->files[n];
        prof_package *package = &packages->at[file->package];
        if (package->best == NULL || is_better(file, package->best))
            package->best = file;
        if (file->fid != 0 && (package->first == NULL || is_earlier(file, package->first)))
            package->first = file;
    }
}

static void add_package(prof_packages *packages, const prof *p, uint32_t sub)
{
    const uint32_t before = nytp_strings_count(packages->names);
    const uint32_t number = prof_strings_intern(packages->names, prof_sub_name(&p->subs, sub).bytes,
                                                p->subs.at[sub].package_length);
    packages->at = prof_grow(packages->at, &packages->cap, number, sizeof *packages->at);
    if (number == before)
        packages->at[number] = (prof_package){0};
}

prof_packages prof_packages_collect(pTHX_ prof *p)
{
    prof_packages packages = {
        .names = prof_strings_new(), .file_keys = prof_strings_new(), .unknown_files = prof_strings_new()};
    const prof_subs *subs = &p->subs;
    for (uint32_t n = 0; n < prof_sub_count(subs); n++)
        if (subs->at[n].seen && (subs->at[n].xsub || n == subs->runtime))
            add_package(&packages, p, n);
    for (uint32_t n = 0; n < prof_sub_count(subs); n++)
        if (subs->at[n].fid != 0)
            add_begin(p, &packages, n);
    prof_sub_ranges_each(aTHX_ p, add_sub, &packages);
    choose(&packages);
    return packages;
}

prof_package *prof_package_find(const prof_packages *packages, const char *name, STRLEN length)
{
    const int64_t number = nytp_strings_find(packages->names, name, length);
    return number >= 0 ? &packages->at[number] : NULL;
}

void prof_packages_free(prof_packages *packages)
{
    nytp_strings_free(packages->names);
    nytp_strings_free(packages->file_keys);
    nytp_strings_free(packages->unknown_files);
    free(packages->at);
    free(packages->files);
}
