#include "basics/paths.h"

#include "basics/alloc.h"
#include "base/dirlist.h"

char *prof_absolute(const char *path, size_t length, size_t *absolute_length)
{
    char cwd[4096 + 1];
    const bool relative = length == 0 || path[0] != '/';
    if (!relative || getcwd(cwd, sizeof cwd - 1) == NULL)
        cwd[0] = '\0';
    size_t before = strlen(cwd);
    if (before > 0 && cwd[before - 1] != '/') {
        cwd[before++] = '/';
        cwd[before] = '\0';
    }
    if (relative && length >= 2 && memcmp(path, "./", 2) == 0) {
        path += 2;
        length -= 2;
    }
    char *absolute = prof_alloc(before + length + 1);
    memcpy(stpcpy(absolute, cwd), path, length);
    if (absolute_length != NULL)
        *absolute_length = before + length;
    return absolute;
}

/* The directories of this perl's own modules and of installed ones. A perl may be built without some. */
static const struct {
    const char *key, *directory;
} of_perl[] = {
#ifdef PRIVLIB_EXP
    {"privlib", PRIVLIB_EXP},
#endif
#ifdef ARCHLIB_EXP
    {"archlib", ARCHLIB_EXP},
#endif
#ifdef SITELIB_EXP
    {"sitelib", SITELIB_EXP},
#endif
#ifdef SITEARCH_EXP
    {"sitearch", SITEARCH_EXP},
#endif
#ifdef PERL_VENDORLIB_EXP
    {"vendorlib", PERL_VENDORLIB_EXP},
#endif
#ifdef PERL_VENDORARCH_EXP
    {"vendorarch", PERL_VENDORARCH_EXP},
#endif
};

/* In a relocatable perl, paths that perl computes at its start begin with ".../". */
static bool is_known(const char *directory)
{
    return *directory != '\0' && strncmp(directory, "...", 3) != 0;
}

/* Returns an entry of @INC as it begins the names of files that are loaded from there, malloc()ed, and sets
 * *end to its end. Returns NULL if it is a hook, or if reading it would run code of the program. */
static char *entry_of(const SV *sv, const char **end)
{
    size_t length;
    if (SvROK(sv) || SvGMAGICAL(sv) || !SvPOK(sv) || SvCUR(sv) == 0 || strlen(SvPVX_const(sv)) != SvCUR(sv))
        return NULL;
    char *with_slash = prof_alloc(SvCUR(sv) + 2);
    my_snprintf(with_slash, SvCUR(sv) + 2, "%s/", SvPVX_const(sv));
    char *directory = prof_absolute(with_slash, SvCUR(sv) + 1, &length);
    free(with_slash);
    while (length > 1 && directory[length - 1] == '/')
        length--;
    *end = directory + length;
    return directory;
}

/* Returns @INC as a list, malloc()ed; NULL if it is tied. */
static char *inc_list(pTHX)
{
    AV *inc = get_av("INC", 0);
    if (inc == NULL || SvRMAGICAL(inc))
        return NULL;
    char *list = prof_strdup("");
    size_t length = 0;
    for (SSize_t i = 0; i < AvFILLp(inc) + 1; i++) {
        const char *end;
        char *directory = AvARRAY(inc)[i] != NULL ? entry_of(AvARRAY(inc)[i], &end) : NULL;
        if (directory == NULL)
            continue;
        list = prof_realloc(list, length + 2 * (size_t)(end - directory) + 2);
        if (length > 0)
            list[length++] = ':';
        length = (size_t)(nytp_dirlist_put(list + length, directory, (size_t)(end - directory)) - list);
        list[length] = '\0';
        free(directory);
    }
    return list;
}

void prof_directories_each(pTHX_ prof_directories_fn *put, void *context)
{
    for (size_t i = 0; i < C_ARRAY_LENGTH(of_perl); i++) {
        char list[2 * PATH_MAX];
        const size_t length = strlen(of_perl[i].directory);
        if (!is_known(of_perl[i].directory) || 2 * length >= sizeof list)
            continue;
        *nytp_dirlist_put(list, of_perl[i].directory, length) = '\0';
        put(context, of_perl[i].key, list);
    }
    char *inc = inc_list(aTHX);
    if (inc != NULL)
        put(context, "inc", inc);
    free(inc);
}
