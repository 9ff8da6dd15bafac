/* Creates the file that a profile is written to. All programs that write profiles follow the same protocol:
 *
 * - A process that writes a profile holds the lock of its file, flock(2), until it closes the descriptor.
 * - An old file is unlinked and never truncated, so that a process that reads it goes on reading the old one.
 *   So is a symbolic link, whatever it leads to.
 * - Nobody unlinks a file that is still being written. The new profile has another name then.
 * - What must not be replaced by a file is opened as it is, also for several processes, see
 *   nytp_newfile_is_device().
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Creates a file in $TMPDIR or /tmp, open for reading and writing, that disappears when it is closed. Returns
 * its descriptor, or a negative number with errno set. */
int nytp_unnamed_file(void);

/* The message for when it fails; its argument is strerror(errno). */
#define NYTP_UNNAMED_FILE_FAILED "temporary file: %s (TMPDIR says where it is)"

/* Creates and locks the first of PATH, PATH.PID, PATH.PID.2, ... that no other process is writing. With
 * add_pid, begins with PATH.PID. Returns a descriptor that is close-on-exec, or -1 and errno. *name is the
 * name that was opened or could not be; the caller frees it. It is NULL when out of memory. */
int nytp_newfile_create(const char *path, pid_t pid, bool add_pid, char **name);

/* Takes the lock of a file. Returns false if another process holds it. A file system without locks has none
 * that another process could hold. */
bool nytp_newfile_lock(int fd);

/* Returns whether a profile is being written to the file. */
bool nytp_newfile_is_written(const char *path);

/* Returns whether path is a device, or is in /dev or in /proc but not in /dev/shm, where nothing is created
 * and nothing unlinked: /dev/stdout is a link to an open file, which may be a regular one. */
bool nytp_newfile_is_device(const char *path);
