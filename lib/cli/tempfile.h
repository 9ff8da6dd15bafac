/* The temporary file that is renamed to the output when it is complete. There is one at a time. A signal that
 * ends the program removes it.
 */
#ifndef NYTP_CLI_TEMPFILE_H
#define NYTP_CLI_TEMPFILE_H

/* Creates a file for writing, in the directory of path. Its name is hidden, because KCachegrind loads all
 * files whose names begin like the one it opens. Returns a descriptor, and sets *name, which the caller frees
 * after nytp_tempfile_release(); or returns -1 with errno set. */
int nytp_tempfile_create(const char *path, char **name);

/* Call it when the file was renamed or removed: signals no longer remove it. */
void nytp_tempfile_release(void);

/* Removes the file, if there is one. Call it only when the program is about to end; signal handlers may. */
void nytp_tempfile_remove(void);

#endif
