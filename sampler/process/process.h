/* What /proc says of processes. */
#pragma once

#include "base/time_ns.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#define SAMPLER_SECOND_NS INT64_C(1000000000)

static inline int64_t sampler_now_ns(void)
{
    return nytp_time_ns(CLOCK_MONOTONIC);
}

/* error_number: what reading its memory, or what /proc has of it, gave. */
void sampler_permission_explain(pid_t pid, int error_number, char *to, size_t size);

/* Like sampler_permission_explain(), of a process whose directory in /proc could not be opened. Returns
 * whether it exists. */
bool sampler_permission_explain_absent(pid_t pid, int error_number, char *to, size_t size);

/* Returns why /proc does not show the processes that have the numbers that this process sees, or NULL. */
const char *sampler_permission_of_proc(void);

/* When this process gets a processor after it wakes up. On a busy machine it would get one only when the
 * process that it samples sleeps, and would see it sleep. */

/* Asks for a processor at once: for SCHED_FIFO where that is permitted, and otherwise for a short time slice,
 * which needs no permission (Linux 6.12). Children of this process do not inherit it. Does nothing if this
 * process has a policy that somebody chose for it. */
void sampler_priority_begin(void);

/* Call it after each sample: gives SCHED_FIFO up for good if this process needs so much processor time that
 * others would suffer from that. */
void sampler_priority_check(void);

/* Ends both. */
void sampler_priority_end(void);

/* Returns in at most size - 1 bytes what a text as that of /proc/PID/cgroup says: "app.service", "container
 * 0123456789ab", or
 * "". */
void sampler_unit_of(const char *cgroup, char *to, size_t size);

/* sampler_unit_of() of a process whose directory in /proc is open. */
void sampler_unit_read(int proc, char *to, size_t size);

/* Files as a process sees them: below its own root, which may be that of a container, and as its user. A
 * symbolic link in it leads nowhere else, and what its user may not read is not read for it. */

typedef struct sampler_root sampler_root;

/* proc: the process's directory in /proc. Returns NULL if its root cannot be opened; errno says why. */
sampler_root *sampler_root_new(int proc);
void sampler_root_free(sampler_root *root); /* NULL is fine */

/* Returns whether its files are those of this process: both have the same root, and the same mounts. */
bool sampler_root_is_own(const sampler_root *root);

/* Finds out what a path, which is absolute, leads to. Returns false if that is nothing. */
bool sampler_root_stat(const sampler_root *root, const char *path, struct stat *to);

/* Opens a regular file to be read; -1: errno says why. Nothing else is opened, so no device and no FIFO
 * notices. */
int sampler_root_open(const sampler_root *root, const char *path, struct stat *to);

/* Its current directory, as the process sees it, in at most size - 1 bytes; empty if that is not known. */
void sampler_root_cwd(int proc, char *to, size_t size);

/* Tells a process from all others. A pid alone does not: the system uses it again. */
typedef struct sampler_process_id {
    pid_t pid;
    uint64_t start_ticks; /* when it started, in 1 / sysconf(_SC_CLK_TCK) s since the system did */
} sampler_process_id;

#define SAMPLER_NEVER UINT64_MAX /* start_ticks where there is no process */

static inline bool sampler_process_id_is(sampler_process_id a, sampler_process_id b)
{
    return a.pid == b.pid && a.start_ticks == b.start_ticks;
}

typedef struct sampler_process {
    sampler_process_id id;
    pid_t parent;
    char state;   /* R, S, D, T, Z, ... as ps(1) shows it */
    bool kernel;  /* a thread of the kernel */
    bool exiting; /* it ends just now: its memory may be gone already */
    long threads;
    int64_t cpu_ticks; /* processor time, in 1 / sysconf(_SC_CLK_TCK) s */
    int64_t
        children_ticks; /* the same of children that it has waited for, and of those they have waited for */
    int processor;      /* on which it runs, or ran last */
} sampler_process;

/* Whether it has ended, or is about to. */
static inline bool sampler_process_has_ended(const sampler_process *process)
{
    return process->exiting || process->state == 'Z' || process->state == 'X';
}

/* Reads /proc/PID/stat. Returns false if there is no such process. */
bool sampler_process_read(sampler_process *process, pid_t pid);

/* Returns the process that has the pid at this moment. */
sampler_process_id sampler_process_now(pid_t pid);

/* Opens /proc/PID of a process. The descriptor never leads to another process, even if that has the same pid.
 * So if sampler_process_exists() is true, what was found before by the pid alone was found in this process.
 * Returns -1 if the process is gone; errno says why. */
int sampler_process_open(sampler_process_id id);
bool sampler_process_read_open(sampler_process *process, int fd);
bool sampler_process_exists(int fd);

/* Like sampler_process_read_open(), from a file task/TID/stat that the caller keeps open: faster. */
bool sampler_process_read_thread(sampler_process *process, int fd);

/* The process that traces it, as a debugger does; 0 if none does. */
pid_t sampler_process_tracer(pid_t pid);

/* When it started, in seconds since 1970. */
double sampler_process_start_s(const sampler_process *process);

/* Its arguments with blanks between them, in at most size - 1 bytes. */
void sampler_process_arguments(pid_t pid, char *to, size_t size);

/* Where /proc/PID/exe or cwd leads to; empty when that cannot be read. */
void sampler_process_link(pid_t pid, const char *name, char *to, size_t size);

/* Returns the number of the process or thread that was started last on this system; -1: not known. */
pid_t sampler_process_newest(void);

/* Calls visit for the processes that root has started, their children, and so on, each once and without root
 * itself, as far as they are still children of one another. None if another process has root's pid. */
typedef void sampler_visit_fn(void *context, const sampler_process *process);
void sampler_process_descendants(sampler_process_id root, sampler_visit_fn *visit, void *context);

/* The same for a caller that looks often. A process that is no descendant never becomes one, so it is read
 * once a second only: by then another process may have its pid. */
typedef struct sampler_descent sampler_descent;
sampler_descent *sampler_descent_new(sampler_process_id root);
void sampler_descent_free(sampler_descent *descent); /* NULL is fine */
void sampler_descent_look(sampler_descent *descent, sampler_visit_fn *visit, void *context);

/* Calls visit for all processes. */
void sampler_process_all(sampler_visit_fn *visit, void *context);

/* sampler_process_descendants() among the processes of a list, which were not read at one moment: parents may
 * form a circle. */
void sampler_process_descendants_in(const sampler_process *list, size_t count, sampler_process_id root,
                                    sampler_visit_fn *visit, void *context);
