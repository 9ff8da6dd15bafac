/* The file of each package, for subs that have no file of their own: xsubs and built-ins. */
#ifndef PROF_PACKAGES_H
#define PROF_PACKAGES_H

#include "prof.h"

#include "table.h"

/* fid is the lowest of the package's subs. If none of them has a fid, file is the first of their files by
 * name. A string eval counts only if there is no other file. So does the file of a BEGIN block: above the
 * "package" line it has the name of the package that the file was required in. */
typedef struct prof_package {
    uint32_t fid;
    const char *file; /* in perl's string */
    STRLEN file_length;
    bool of_begin; /* file is of a BEGIN block */
} prof_package;

typedef struct prof_packages {
    prof_table *names;
    prof_package *at;
    uint32_t cap;
} prof_packages;

/* Collects the packages of all subs that perl or the profile knows. */
prof_packages prof_packages_collect(pTHX_ prof *p);
void prof_packages_free(prof_packages *packages);

/* Returns a package, or NULL if no sub of it has a file. */
prof_package *prof_package_find(const prof_packages *packages, const char *name, STRLEN length);

/* The length of the package in the name of a sub. */
STRLEN prof_package_length(const char *name, STRLEN length);
bool prof_is_begin(const char *name, STRLEN length);

#endif
