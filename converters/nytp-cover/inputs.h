/* The recordings that nytp-cover makes and reads. */
#pragma once

#include "cli/coverage.h"

/* Returns whether the operands are a command and its arguments, not recordings. */
bool cover_is_command(const nytp_operands *operands, bool after_dashes);

/* Runs the command. In place of the recordings in NYTP_COVERAGE_DIRECTORY, those of all perls below it are
 * there then. Returns its exit status, as shells have it; -1 after saying why it was not run. */
int cover_run(const nytp_operands *command);

/* A new tree sorted by its keys, texts that it frees. */
GTree *cover_tree_new(GDestroyNotify free_value);

/* --who: which programs have run a line. */
typedef struct cover_who {
    char *file;
    uint32_t line;
    GTree *programs; /* by name */
} cover_who;

/* Sets which line is asked for: "lib/Foo.pm:42". Returns false if it is none. */
bool cover_who_set(cover_who *who, const char *where);
void cover_who_clear(cover_who *who);
nytp_coverage_fn cover_who_add; /* the context is a cover_who */

/* Prints the names of the programs. all has all recordings. Returns the exit status. */
int cover_who_show(const cover_who *who, nytp_cover *all);

/* --only-by: which lines a program has run, and which others have. */
typedef struct cover_only_by {
    const char *program;
    bool is_found;
    GTree *files; /* by name: GHashTable of whose they are, by line */
} cover_only_by;

cover_only_by cover_only_by_new(const char *program);
void cover_only_by_clear(cover_only_by *only);
nytp_coverage_fn cover_only_by_add; /* the context is a cover_only_by */

/* Leaves in the files what the program alone has run, as if it had not: so it is listed as what is missing.
 * Returns false after saying that there is no such program. */
bool cover_only_by_keep(const cover_only_by *only, GPtrArray *files);

/* Leaves in the files the lines that were added since the last common commit with base, and only files that
 * have any. Returns false after saying why git does not know. */
bool cover_keep_diff(GPtrArray *files, const char *base);
