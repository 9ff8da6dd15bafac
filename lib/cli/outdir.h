/* A directory of files that appear together or not at all.
 *
 *     nytp_outdir *dir = nytp_outdir_open("nytprof");
 *     FILE *out = dir != NULL ? nytp_outdir_file(dir, "subs.csv") : NULL;
 *     ... more files
 *     if (out != NULL)
 *         rc = nytp_outdir_commit(dir);
 */
#ifndef NYTP_CLI_OUTDIR_H
#define NYTP_CLI_OUTDIR_H

#include <stdio.h>

typedef struct nytp_outdir nytp_outdir;

/* Begins a temporary directory: beside path, or in it, if that is a directory already. A signal that ends the
 * program removes it. There can be one at a time. Returns NULL after saying why. */
nytp_outdir *nytp_outdir_open(const char *path);

/* Begins the file of that name; the one before is complete. The stream is valid until the next call. Returns
 * NULL after saying why; then only nytp_outdir_discard() may follow. */
FILE *nytp_outdir_file(nytp_outdir *dir, const char *name);

/* Closes the last file, so that all of them are written. 0, or -1 after saying why. Commit does so, too. */
int nytp_outdir_complete(nytp_outdir *dir);

/* Each frees dir. Commit: a new directory appears with all of its files; in an old one the files replace those
 * of the same names, and others stay. 0, or -1 after saying why: no file was changed, except when the system
 * refuses to rename some of them. */
int nytp_outdir_commit(nytp_outdir *dir);
void nytp_outdir_discard(nytp_outdir *dir);

#endif
