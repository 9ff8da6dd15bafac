#include "sampler/sample/hunt.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct visit_threads {
    const sampler_target *target;
    sampler_pthread_fn *visit; /* of those with another interpreter */
    void *context;
} visit_threads;

static uint64_t interpreter_at(const sampler_target *t, uint64_t slot)
{
    return sampler_memory_pointer(&t->interpreter.memory, slot);
}

/* Returns the number that a thread has here, if it has another one in its own namespace of pids; 0 if there
 * is none. */
static pid_t number_here(const sampler_target *t, pid_t number_there)
{
    char path[300], line[256];
    int fd = openat(t->proc, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *tasks = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    pid_t found = 0;
    while (tasks != NULL && found == 0 && (entry = readdir(tasks)) != NULL) {
        snprintf(path, sizeof path, "%s/status", entry->d_name);
        int status = openat(fd, path, O_RDONLY | O_CLOEXEC);
        FILE *file = status >= 0 ? fdopen(status, "r") : NULL;
        while (file != NULL && fgets(line, sizeof line, file) != NULL) {
            const char *last = strncmp(line, "NSpid:", 6) == 0 ? strrchr(line, '\t') : NULL;
            if (last != NULL && strtol(last, NULL, 10) == number_there)
                found = (pid_t)strtol(entry->d_name, NULL, 10);
        }
        if (file != NULL)
            fclose(file);
    }
    if (tasks != NULL)
        closedir(tasks);
    return found;
}

static bool is_other_namespace(const sampler_target *t)
{
    struct stat its, own;
    return fstatat(t->proc, "ns/pid", &its, 0) == 0 && stat("/proc/self/ns/pid", &own) == 0 &&
           (its.st_ino != own.st_ino || its.st_dev != own.st_dev);
}

/* The same for any thread, number_there being what the C library says: 0 if the process has no such thread. A
 * forked child has the numbers of its parent's threads until it runs for the first time. */
static pid_t as_here(const sampler_target *t, pid_t number_there)
{
    char path[40];
    if (is_other_namespace(t))
        return number_here(t, number_there);
    snprintf(path, sizeof path, "task/%ld", (long)number_there);
    return faccessat(t->proc, path, F_OK, 0) == 0 ? number_there : 0;
}

static void visit_thread(void *context, pid_t tid, uint64_t slot)
{
    const visit_threads *v = context;
    if (interpreter_at(v->target, slot) == v->target->interpreter.address)
        return;
    const pid_t here = as_here(v->target, tid);
    if (here > 0)
        v->visit(v->context, here, slot);
}

bool sampler_threads_others(const sampler_target *t, sampler_pthread_fn *visit, void *context)
{
    visit_threads v = {t, visit, context};
    sampler_pthreads_each(&t->pthreads, &t->interpreter.memory, visit_thread, &v);
    return t->pthreads.lists[0] != 0;
}

static void count_thread(void *context, pid_t tid, uint64_t slot)
{
    (void)tid;
    (void)slot;
    ++*(long *)context;
}

long sampler_threads_interpreters(const sampler_target *t)
{
    long count = 0;
    sampler_pthreads_each(&t->pthreads, &t->interpreter.memory, count_thread, &count);
    return count;
}

/* Which threads have the target's interpreter. */
typedef struct owners {
    const sampler_target *target;
    uint64_t on_stack; /* an address on the stack of the thread that executes it; 0: not known */
    uint64_t nearest;  /* the first slot above that, of any thread but the first of the process */
    pid_t first, on;   /* the first of those that have it; the one whose stack that is; 0: none. As here */
    bool first_of_all; /* the first thread of the process has it */
} owners;

/* The data of a thread, in which its slots are, lie at the end of its stack (glibc's allocate_stack()). The
 * stack of the first thread lies above all others. */
static void note_owner(void *context, pid_t tid, uint64_t slot)
{
    owners *o = context;
    const bool has_it = interpreter_at(o->target, slot) == o->target->interpreter.address;
    const pid_t here = as_here(o->target, tid);
    const bool is_main = here == o->target->pid;
    if (here == 0)
        return;
    if (has_it && o->first == 0)
        o->first = here;
    o->first_of_all = o->first_of_all || (has_it && is_main);
    if (!is_main && o->on_stack != 0 && slot > o->on_stack && (o->nearest == 0 || slot < o->nearest)) {
        o->nearest = slot;
        o->on = has_it ? here : 0;
    }
}

/* Perl's first environment of a jump is in the interpreter itself: then nothing is executed. */
static uint64_t on_stack(const sampler_target *t)
{
    const uint64_t interpreter = t->interpreter.address, at = t->interpreter.at.top_env;
    const uint64_t top = sampler_memory_pointer(&t->interpreter.memory, at);
    return top == at + sizeof top || top == interpreter ? 0 : top;
}

pid_t sampler_threads_runner(const sampler_target *t)
{
    owners o = {.target = t};
    if (t->slot != 0 || t->pthreads.lists[0] == 0)
        return t->tid;
    o.on_stack = on_stack(t);
    sampler_pthreads_each(&t->pthreads, &t->interpreter.memory, note_owner, &o);
    const pid_t found = o.on != 0 ? o.on : o.first_of_all ? 0 : o.first;
    return found != 0 ? found : t->tid;
}
