#include "process.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PID (COMMAND) STATE PPID ...: the command may have blanks and parentheses. */
static bool parse(record_process *p, char *text)
{
    char *open = strchr(text, '('), *close = strrchr(text, ')');
    unsigned long long user, kernel, start;
    long parent, threads;
    if (open == NULL || close == NULL || close < open)
        return false;
    p->pid = (pid_t)strtol(text, NULL, 10);
    if (sscanf(close + 1,
               " %c %ld %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu %*s %*s %*s %*s %ld %*s %llu",
               &p->state, &parent, &user, &kernel, &threads, &start) != 6)
        return false;
    p->parent = (pid_t)parent;
    p->cpu_ticks = user + kernel;
    p->start_ticks = start;
    p->threads = threads;
    return true;
}

bool record_process_read_thread(record_process *p, int fd)
{
    char text[1024];
    ssize_t got = pread(fd, text, sizeof text - 1, 0);
    if (got <= 0)
        return false;
    text[got] = '\0';
    return parse(p, text);
}

static int open_file(pid_t pid, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

bool record_process_read(record_process *p, pid_t pid)
{
    int fd = open_file(pid, "stat");
    if (fd < 0)
        return false;
    bool good = record_process_read_thread(p, fd);
    close(fd);
    return good;
}

int record_process_open_thread(pid_t pid)
{
    char name[48];
    snprintf(name, sizeof name, "task/%ld/stat", (long)pid);
    return open_file(pid, name);
}

double record_process_start_s(const record_process *p)
{
    char line[256];
    double boot = 0;
    FILE *file = fopen("/proc/stat", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "btime ", 6) == 0)
            boot = strtod(line + 6, NULL);
    if (file != NULL)
        fclose(file);
    return boot + (double)p->start_ticks / (double)sysconf(_SC_CLK_TCK);
}

void record_process_arguments(pid_t pid, char *to, size_t size)
{
    int fd = open_file(pid, "cmdline");
    ssize_t got = fd < 0 ? -1 : read(fd, to, size - 1);
    if (fd >= 0)
        close(fd);
    to[got > 0 ? got : 0] = '\0';
    for (ssize_t i = 0; i + 1 < got; i++)
        if (to[i] == '\0' || iscntrl((unsigned char)to[i]))
            to[i] = ' ';
}

void record_process_link(pid_t pid, const char *name, char *to, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    ssize_t got = readlink(path, to, size - 1);
    to[got > 0 ? got : 0] = '\0';
}

/* ---- descendants ---- */

typedef struct all {
    record_process *list;
    size_t count, room;
} all;

static void add(all *a, pid_t pid)
{
    record_process p;
    if (!record_process_read(&p, pid))
        return;
    if (a->count == a->room) {
        size_t room = a->room * 2 + 64;
        record_process *grown = realloc(a->list, room * sizeof *grown);
        if (grown == NULL)
            return;
        a->list = grown;
        a->room = room;
    }
    a->list[a->count++] = p;
}

static void read_all(all *a)
{
    DIR *directory = opendir("/proc");
    struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0]))
            add(a, (pid_t)strtol(entry->d_name, NULL, 10));
    if (directory != NULL)
        closedir(directory);
}

/* Each process is a descendant once: it is visited when its parent is, and has one parent. */
static void visit_children(const all *a, pid_t parent, record_visit_fn *visit, void *context)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->list[i].parent == parent && a->list[i].pid != parent) {
            visit(context, &a->list[i]);
            visit_children(a, a->list[i].pid, visit, context);
        }
}

static void search_all(pid_t root, record_visit_fn *visit, void *context)
{
    all a = {0};
    read_all(&a);
    visit_children(&a, root, visit, context);
    free(a.list);
}

enum { MOST_LEVELS = 500 /* pids are used again, so the lists of one moment may lead in a circle */ };

/* Visits the children that a thread started, and theirs. false: this kernel has no lists of children. */
static bool visit_list(pid_t pid, const char *thread, int levels, record_visit_fn *visit, void *context);

/* Visits what all threads of a process started. */
static bool visit_lists(pid_t pid, int levels, record_visit_fn *visit, void *context)
{
    char path[48];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *directory = opendir(path);
    struct dirent *entry;
    bool good = true;
    while (directory != NULL && (entry = readdir(directory)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0]))
            good = visit_list(pid, entry->d_name, levels, visit, context) && good;
    if (directory != NULL)
        closedir(directory);
    return good;
}

static bool visit_list(pid_t pid, const char *thread, int levels, record_visit_fn *visit, void *context)
{
    char path[96], line[32];
    record_process p;
    snprintf(path, sizeof path, "/proc/%ld/task/%.20s/children", (long)pid, thread);
    FILE *list = fopen(path, "re");
    if (list == NULL)
        return access("/proc/thread-self/children", R_OK) == 0; /* only this process has ended */
    while (fscanf(list, "%31s", line) == 1) {
        pid_t child = (pid_t)strtol(line, NULL, 10);
        if (record_process_read(&p, child)) {
            visit(context, &p);
            if (levels < MOST_LEVELS)
                visit_lists(child, levels + 1, visit, context);
        }
    }
    fclose(list);
    return true;
}

/* Lists of children are much cheaper than all of /proc, ten times a second. */
void record_process_descendants(pid_t root, record_visit_fn *visit, void *context)
{
    if (!visit_lists(root, 0, visit, context))
        search_all(root, visit, context);
}
