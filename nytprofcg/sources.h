/* The source text that a profile holds and no file of that name has: string evals, -e, files of other
 * machines and those that have changed. It is written into a directory, where programs that show callgrind
 * files find it.
 */
#pragma once

#include "nytprof-model.h"

#include <stdbool.h>

typedef struct cg_sources cg_sources;

/* Returns the sources for a directory, which is looked at, and changed by cg_sources_commit() alone. output:
 * the callgrind file, which must not be in it; NULL: standard output. Returns NULL after saying why that
 * cannot be. */
cg_sources *cg_sources_new(const char *directory, const char *output);
void cg_sources_free(
    cg_sources *sources); /* NULL is fine. Leaves nothing behind unless they were committed. */

/* Collects the text of a profile, which must be empty. It must live as long. */
void cg_sources_collect(cg_sources *sources, nytp_profile *profile);

/* Call it when the profile has been read. Returns 0, or -1 after saying why the directory cannot be made. */
int cg_sources_open(cg_sources *sources, bool verbose);

/* Returns the path of the file's text, which it writes at the first call; string evals of one place with one
 * text have one. NULL: the file is on disk as it was, or its text is not in the profile. Belongs to sources.
 */
const char *cg_sources_path(cg_sources *sources, const nytp_file *f);

/* Returns 0, or -1 after saying why not all was written. */
int cg_sources_commit(cg_sources *sources);
