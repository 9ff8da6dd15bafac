/* The file of each package, for subs that have no file of their own: xsubs and built-ins. */
#pragma once

#include "prof.h"

#include "base/stringtable.h"

/* One of the files that subs of a package are in. */
typedef struct prof_package_file {
    uint32_t package;
    uint32_t fid;     /* 0: not known yet */
    const char *name; /* in perl's string, if there is no fid */
    STRLEN length;
    bool eval;
    bool proper;   /* it has a sub whose range ends after it begins; with #line it may not */
    uint32_t subs; /* how many such subs it has, without BEGIN blocks */
} prof_package_file;

/* best is the file with most of the package's subs. Preference: proper files, then files with a
 * fid, then others; string evals last. A BEGIN block does not count as a sub: above the "package" line it
 * has the name of the package that the file was required in. Among equals it is the first by fid or name. */
typedef struct prof_package {
    prof_package_file *best;  /* NULL if no sub of the package has a file */
    prof_package_file *first; /* the one with the lowest fid, evals last; NULL if none has a fid */
} prof_package;

typedef struct prof_packages {
    nytp_strings *names;
    prof_package *at;
    uint32_t cap;
    nytp_strings *file_keys; /* package and file */
    prof_package_file *files;
    uint32_t files_cap;
    nytp_strings *unknown_files; /* names of those without fid */
} prof_packages;

/* Collects the packages of the called subs that have no file of their own. */
prof_packages prof_packages_collect(pTHX_ prof *p);
void prof_packages_free(prof_packages *packages);

/* Returns the package with that name; NULL if it was not collected. */
prof_package *prof_package_find(const prof_packages *packages, const char *name, STRLEN length);

/* Returns the length of the package in the name of a sub. */
STRLEN prof_package_length(const char *name, STRLEN length);

/* Returns whether the name is that of BEGIN blocks: "main::BEGIN". */
bool prof_is_begin(const char *name, STRLEN length);
