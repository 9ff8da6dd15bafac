/* What /proc says of processes. */
#ifndef RECORD_PROCESS_H
#define RECORD_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct record_process {
    pid_t pid, parent;
    char state;           /* R, S, D, T, Z, ... as ps(1) shows it */
    uint64_t cpu_ticks;   /* user and system time of the main thread, in 1 / sysconf(_SC_CLK_TCK) s */
    uint64_t start_ticks; /* since the system started */
    long threads;
} record_process;

/* Reads /proc/PID/stat. false: there is no such process. */
bool record_process_read(record_process *process, pid_t pid);

/* The same of its main thread, whose file the caller keeps open: faster. */
int record_process_open_thread(pid_t pid); /* -1: errno says why */
bool record_process_read_thread(record_process *process, int fd);

/* When it started, in seconds since 1970. */
double record_process_start_s(const record_process *process);

/* Its arguments with blanks between them, in at most size - 1 bytes. */
void record_process_arguments(pid_t pid, char *to, size_t size);

/* Where /proc/PID/exe or cwd leads to; empty when that cannot be read. */
void record_process_link(pid_t pid, const char *name, char *to, size_t size);

/* Calls visit for all processes that root has started, their children, and so on, root itself excluded, as
 * far as they are still children of one another. */
typedef void record_visit_fn(void *context, const record_process *process);
void record_process_descendants(pid_t root, record_visit_fn *visit, void *context);

#endif
