/* The file that a profile is written to, as it grows. */
#ifndef RECORD_OUTFILE_H
#define RECORD_OUTFILE_H

#include <sys/types.h>

/* Creates the file at path, and locks it, as the collector does: a profile that is still written keeps its
 * name, and the new one gets .PID after it. pid: of the process that is sampled; add_pid: has it in the name
 * in any case. Returns a descriptor and the name, which the caller frees; -1: errno says why. */
int record_outfile_create(const char *path, pid_t pid, int add_pid, char **name);

#endif
