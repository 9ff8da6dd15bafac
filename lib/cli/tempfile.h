/* The temporary file or directory that becomes the output when it is complete. There can be one of each at a
 * time. A signal that ends the program removes both. */
#pragma once

#include <stdio.h>
#include <sys/types.h>

/* Creates a file for writing, in the directory of path. Its name is hidden, because KCachegrind loads all
 * files whose names begin like the one it opens. Returns a descriptor, and sets *name, which the caller frees
 * after nytp_tempfile_release(); or returns -1 with errno set. */
int nytp_tempfile_create(const char *path, char **name);

/* Call it when the file was renamed or removed: signals no longer remove it. */
void nytp_tempfile_release(void);

/* Removes the file and the directory, if there are any. A signal handler may call it. Only a release, or the
 * end of the program, may follow. */
void nytp_tempfile_remove(void);

/* Returns the mode that a new file or directory has: `most` without the bits of the process's umask. */
mode_t nytp_new_mode(mode_t most);

/* Creates a directory with a hidden name in the directory of path. Returns its name, which the caller must
 * free() after releasing it, or NULL with errno set. */
char *nytp_tempdir_create(const char *path);

/* Creates the file `number` in it, for writing; numbers count from 0. Returns NULL with errno set if it
 * fails. */
FILE *nytp_tempdir_file(unsigned number);

/* Call it when the directory was renamed or removed: signals no longer remove it. */
void nytp_tempdir_release(void);
