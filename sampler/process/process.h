/* What /proc says of processes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

/* Calls visit for all processes. */
void sampler_process_all(sampler_visit_fn *visit, void *context);

/* sampler_process_descendants() among the processes of a list, which were not read at one moment: parents may
 * form a circle. */
void sampler_process_descendants_in(const sampler_process *list, size_t count, sampler_process_id root,
                                    sampler_visit_fn *visit, void *context);
