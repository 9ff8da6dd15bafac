/* The file of each package, for subs that have no file of their own: xsubs and built-ins. */
#ifndef PROF_PACKAGES_H
#define PROF_PACKAGES_H

#include "prof.h"

#include "table.h"

/* One of the files that subs of a package are in. */
typedef struct prof_package_file {
    uint32_t package;
    uint32_t fid;     /* 0: not known yet */
    const char *name; /* in perl's string, if there is no fid */
    STRLEN length;
    bool eval;
    bool proper;   /* the range of a sub ends after it begins, as it may not with #line */
    uint32_t subs; /* of these, without BEGIN blocks */
} prof_package_file;

/* best is the file with most of the package's subs. Files that are not proper, that have no fid, and string
 * evals count only if there is no other. A BEGIN block does not count as a sub: above the "package" line it
 * has the name of the package that the file was required in. Among equals it is the first by fid or name. */
typedef struct prof_package {
    prof_package_file *best;  /* NULL: no sub of the package has a file */
    prof_package_file *first; /* the one with the lowest fid, rather not an eval; NULL: none has a fid */
} prof_package;

typedef struct prof_packages {
    prof_table *names;
    prof_package *at;
    uint32_t cap;
    prof_table *file_keys; /* package and file */
    prof_package_file *files;
    uint32_t files_cap;
    prof_table *unknown_files; /* names of those without fid */
} prof_packages;

/* Collects the packages of the called subs that have no file of their own. */
prof_packages prof_packages_collect(pTHX_ prof *p);
void prof_packages_free(prof_packages *packages);

/* Returns one of these packages, or NULL. */
prof_package *prof_package_find(const prof_packages *packages, const char *name, STRLEN length);

/* The length of the package in the name of a sub. */
STRLEN prof_package_length(const char *name, STRLEN length);
bool prof_is_begin(const char *name, STRLEN length);

#endif
