/* The temporary file or directory that becomes the output when it is complete. There is one of each at a
 * time. A signal that ends the program removes it.
 */
#ifndef NYTP_CLI_TEMPFILE_H
#define NYTP_CLI_TEMPFILE_H

#include <stdio.h>

/* Creates a file for writing, in the directory of path. Its name is hidden, because KCachegrind loads all
 * files whose names begin like the one it opens. Returns a descriptor, and sets *name, which the caller frees
 * after nytp_tempfile_release(); or returns -1 with errno set. */
int nytp_tempfile_create(const char *path, char **name);

/* Call it when the file was renamed or removed: signals no longer remove it. */
void nytp_tempfile_release(void);

/* Removes the file and the directory, if there are any. A signal handler may call it. Nothing but a release, or
 * the end of the program, may follow. */
void nytp_tempfile_remove(void);

/* Creates a directory with a hidden name in the directory of path. Returns its name, which the caller must
 * free() after releasing it, or NULL with errno set. */
char *nytp_tempdir_create(const char *path);

/* Creates the file `number` in it, for writing; numbers count from 0 on. NULL with errno set. */
FILE *nytp_tempdir_file(unsigned number);

/* The directory was renamed or removed: signals do not concern it any more. */
void nytp_tempdir_release(void);

#endif
