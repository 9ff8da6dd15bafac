/* The temporary file that is renamed to the output when it is complete. There is one at a time. A signal that
 * ends the program removes it.
 */
#ifndef NYTP_CLI_TEMPFILE_H
#define NYTP_CLI_TEMPFILE_H

/* Creates a file with a hidden name in the directory of path, for writing: KCachegrind loads whatever begins
 * with the name it is given. *name is the caller's to free. Returns a descriptor, or -1 with errno set. */
int nytp_tempfile_create(const char *path, char **name);

/* The file was renamed or removed: signals do not concern it any more. */
void nytp_tempfile_release(void);

/* Removes the file, if there is one, for a program that is about to end. May be called in a signal handler.
 */
void nytp_tempfile_remove(void);

#endif
