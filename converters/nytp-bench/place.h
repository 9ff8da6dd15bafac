/* Where the two sides run, and where their profiles are: a temporary directory, and a worktree of git in it.
 */
#pragma once

#include "nytprof-model.h"

typedef struct bench_place {
    char *temporary;
    char *directory[NYTP_SIDES]; /* where commands run; NULL: where this process does */
    char *worktree;              /* NULL if none */
} bench_place;

/* Creates both; baseline: the commit in which OLD runs, or NULL. Returns false after saying why it failed.
 * The caller must call bench_place_end() in any case. */
bool bench_place_begin(bench_place *place, const char *baseline);

/* Removes them. */
void bench_place_end(bench_place *place);

/* Removes a directory and all that is in it. */
void bench_remove(const char *directory);
