/* A directory of files that appear together or not at all.
 *
 *     nytp_outdir *dir = nytp_outdir_open("nytprof");
 *     FILE *out = dir != NULL ? nytp_outdir_file(dir, "subs.csv") : NULL;
 *     ... more files
 *     if (out != NULL)
 *         rc = nytp_outdir_commit(dir);
 */
#pragma once

#include <stdio.h>

typedef struct nytp_outdir nytp_outdir;

/* Creates a temporary directory: in path if that is a directory, otherwise beside it. A signal that ends the
 * program removes it. There can be one at a time. Returns NULL after saying why it failed. */
nytp_outdir *nytp_outdir_open(const char *path);

/* Begins the file of that name, and completes the one before. The stream is valid until the next call.
 * Returns NULL after saying why it failed; then only nytp_outdir_discard() may follow. */
FILE *nytp_outdir_file(nytp_outdir *dir, const char *name);

/* Closes the last file, so that all of them are written. Returns 0, or -1 after saying why it failed. Commit
 * does this, too. */
int nytp_outdir_complete(nytp_outdir *dir);

/* Both free dir. Commit: a new directory appears with all of its files; in an existing one the files replace
 * those of the same names, and others stay. Returns 0, or -1 after saying why it failed. In that case no file
 * was changed, unless the system refused to rename some of them. */
int nytp_outdir_commit(nytp_outdir *dir);
void nytp_outdir_discard(nytp_outdir *dir);
