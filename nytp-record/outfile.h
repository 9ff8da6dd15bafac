/* The file that a profile is written to, as it grows. */
#ifndef RECORD_OUTFILE_H
#define RECORD_OUTFILE_H

#include <stdbool.h>
#include <sys/types.h>

/* Opens what -o names: standard output for "-"; a pipe or a device as it is; otherwise a new file,
 * as nytp_newfile_create() does. pid: of the process that is sampled; add_pid: the file is PATH.PID. Returns
 * a descriptor, or -1 and errno. *name is its name for messages, which the caller frees; NULL when out of
 * memory. */
int record_outfile_open(const char *path, pid_t pid, bool add_pid, char **name);

#endif
