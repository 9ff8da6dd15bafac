#include "base/small_file.h"
#include "model/hashes.h"
#include "sampler/process/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* PID (COMMAND) STATE PPID ...: the command may have blanks and parentheses. The fields have the numbers of
 * proc(5). */
static bool parse(sampler_process *p, char *text)
{
    enum {
        STATE = 3,
        PARENT = 4,
        FLAGS = 9,
        USER = 14,
        SYSTEM = 15,
        CHILDREN_USER = 16,
        CHILDREN_SYSTEM = 17,
        THREADS = 20,
        START = 22,
        PROCESSOR = 39
    };
    enum { PF_EXITING = 0x4, PF_KTHREAD = 0x200000 }; /* include/linux/sched.h */
    const char *at = strrchr(text, ')');
    unsigned long flags = 0;
    int field = STATE - 1;
    p->id.pid = (pid_t)strtol(text, NULL, 10);
    while (at != NULL && (at = strchr(at, ' ')) != NULL && field < PROCESSOR) {
        at++;
        switch (++field) {
        case STATE: p->state = *at; break;
        case PARENT: p->parent = (pid_t)strtol(at, NULL, 10); break;
        case FLAGS: flags = strtoul(at, NULL, 10); break;
        case USER: p->cpu_ticks = strtoll(at, NULL, 10); break;
        case SYSTEM: p->cpu_ticks += strtoll(at, NULL, 10); break;
        case CHILDREN_USER: p->children_ticks = strtoll(at, NULL, 10); break;
        case CHILDREN_SYSTEM: p->children_ticks += strtoll(at, NULL, 10); break;
        case THREADS: p->threads = strtol(at, NULL, 10); break;
        case START: p->id.start_ticks = strtoull(at, NULL, 10); break;
        case PROCESSOR: p->processor = (int)strtol(at, NULL, 10); break;
        default: break;
        }
    }
    p->kernel = (flags & PF_KTHREAD) != 0;
    p->exiting = (flags & PF_EXITING) != 0;
    return field == PROCESSOR;
}

bool sampler_process_read_thread(sampler_process *p, int fd)
{
    char text[1024];
    ssize_t got = pread(fd, text, sizeof text - 1, 0);
    if (got <= 0)
        return false;
    text[got] = '\0';
    return parse(p, text);
}

/* Closes fd, which may be -1. */
static bool read_and_close(sampler_process *p, int fd)
{
    const bool good = fd >= 0 && sampler_process_read_thread(p, fd);
    if (fd >= 0)
        close(fd);
    return good;
}

static int open_file(pid_t pid, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

bool sampler_process_read(sampler_process *p, pid_t pid)
{
    return read_and_close(p, open_file(pid, "stat"));
}

sampler_process_id sampler_process_now(pid_t pid)
{
    sampler_process p;
    return sampler_process_read(&p, pid) ? p.id : (sampler_process_id){pid, SAMPLER_NEVER};
}

bool sampler_process_read_open(sampler_process *p, int fd)
{
    return read_and_close(p, openat(fd, "stat", O_RDONLY | O_CLOEXEC));
}

bool sampler_process_exists(int fd)
{
    return faccessat(fd, "stat", F_OK, 0) == 0;
}

int sampler_process_open(sampler_process_id id)
{
    char path[32];
    sampler_process p;
    snprintf(path, sizeof path, "/proc/%ld", (long)id.pid);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return fd;
    int error_number = ESRCH;
    if (!sampler_process_read_open(&p, fd))
        error_number = errno;
    else if (sampler_process_id_is(p.id, id))
        return fd;
    close(fd);
    errno = error_number;
    return -1;
}

pid_t sampler_process_tracer(pid_t pid)
{
    static const char key[] = "\nTracerPid:"; /* among the first lines, which are short */
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    const char *line = nytp_small_file_read(path, text, sizeof text) ? strstr(text, key) : NULL;
    return line != NULL ? (pid_t)strtol(line + strlen(key), NULL, 10) : 0;
}

double sampler_process_start_s(const sampler_process *p)
{
    const double boot_s = (double)(nytp_time_ns(CLOCK_REALTIME) - nytp_time_ns(CLOCK_BOOTTIME)) / 1e9;
    return boot_s + (double)p->id.start_ticks / (double)sysconf(_SC_CLK_TCK);
}

void sampler_process_arguments(pid_t pid, char *to, size_t size)
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

void sampler_process_link(pid_t pid, const char *name, char *to, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    ssize_t got = readlink(path, to, size - 1);
    to[got > 0 ? got : 0] = '\0';
}

pid_t sampler_process_newest(void)
{
    char text[80];
    const char *last = nytp_small_file_read("/proc/loadavg", text, sizeof text) ? strrchr(text, ' ') : NULL;
    return last != NULL ? (pid_t)strtol(last, NULL, 10) : -1;
}

typedef struct search {
    GArray *found; /* of sampler_process: root, then its children, and so on */
    GHashTable *pids;
} search;

static search begin_search(sampler_process_id root)
{
    search s = {g_array_new(FALSE, FALSE, sizeof(sampler_process)),
                g_hash_table_new(nytp_hash_of_number, NULL)};
    g_array_append_val(s.found, (sampler_process){.id = root});
    g_hash_table_add(s.pids, GINT_TO_POINTER(root.pid));
    return s;
}

static const sampler_process *found_at(const search *s, guint n)
{
    return &g_array_index(s->found, sampler_process, n);
}

/* A pid may have gone to another process since the parent's list was read: a child has that parent, and is
 * not older. */
static void add_child(search *s, sampler_process_id parent, const sampler_process *p)
{
    if (p->parent == parent.pid && p->id.start_ticks >= parent.start_ticks &&
        g_hash_table_add(s->pids, GINT_TO_POINTER(p->id.pid)))
        g_array_append_val(s->found, *p);
}

static void end_search(search *s, sampler_visit_fn *visit, void *context)
{
    for (guint n = 1; n < s->found->len; n++)
        visit(context, found_at(s, n));
    g_array_free(s->found, TRUE);
    g_hash_table_destroy(s->pids);
}

/* All processes but those of a set of pids (NULL: all), as an array that the caller must free. */
static GArray *read_all_but(GHashTable *pids)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(sampler_process));
    DIR *directory = opendir("/proc");
    struct dirent *entry;
    sampler_process p;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        const bool is_known = pids != NULL && g_hash_table_contains(pids, GINT_TO_POINTER(pid));
        if (pid > 0 && !is_known && sampler_process_read(&p, pid))
            g_array_append_val(all, p);
    }
    if (directory != NULL)
        closedir(directory);
    return all;
}

void sampler_process_all(sampler_visit_fn *visit, void *context)
{
    g_autoptr(GArray) all = read_all_but(NULL);
    for (guint n = 0; n < all->len; n++)
        visit(context, &g_array_index(all, sampler_process, n));
}

struct sampler_descent {
    sampler_process_id root;
    GHashTable *strangers; /* pids of what is no descendant */
    int64_t since_ns;      /* when the first of them was read */
};

sampler_descent *sampler_descent_new(sampler_process_id root)
{
    sampler_descent *d = g_new0(sampler_descent, 1);
    *d = (sampler_descent){root, g_hash_table_new(nytp_hash_of_number, NULL), 0};
    return d;
}

void sampler_descent_free(sampler_descent *d)
{
    if (d != NULL)
        g_hash_table_destroy(d->strangers);
    g_free(d);
}

/* Children of strangers are strangers. A process whose parent was not read, since it had ended by then, may
 * be a descendant's child. */
static void note_strangers(sampler_descent *d, const GArray *all, const search *s)
{
    for (guint n = 0; n < all->len; n++) {
        const sampler_process *p = &g_array_index(all, sampler_process, n);
        const bool has_strange_parent =
            p->parent == 0 || g_hash_table_contains(d->strangers, GINT_TO_POINTER(p->parent));
        /* The parent of a process that is about to end may be 0 already. */
        if (has_strange_parent && !sampler_process_has_ended(p) &&
            !g_hash_table_contains(s->pids, GINT_TO_POINTER(p->id.pid)))
            g_hash_table_add(d->strangers, GINT_TO_POINTER(p->id.pid));
    }
}

static void add_of_list(search *s, const sampler_process *list, size_t count)
{
    for (guint n = 0; n < s->found->len; n++) {
        const sampler_process_id parent = found_at(s, n)->id;
        for (size_t i = 0; i < count; i++)
            add_child(s, parent, &list[i]);
    }
}

void sampler_process_descendants_in(const sampler_process *list, size_t count, sampler_process_id root,
                                    sampler_visit_fn *visit, void *context)
{
    search s = begin_search(root);
    add_of_list(&s, list, count);
    end_search(&s, visit, context);
}

/* For kernels without lists of children. */
static void search_all(sampler_descent *d, search *s)
{
    const int64_t now = nytp_time_ns(CLOCK_MONOTONIC);
    if (now - d->since_ns >= SAMPLER_SECOND_NS) {
        g_hash_table_remove_all(d->strangers);
        d->since_ns = now;
    }
    g_autoptr(GArray) all = read_all_but(d->strangers);
    if (!sampler_process_id_is(sampler_process_now(d->root.pid), d->root))
        return;
    add_of_list(s, (sampler_process *)(void *)all->data, all->len);
    note_strangers(d, all, s);
}

/* Adds the children that one thread has started. */
static void add_list(search *s, sampler_process_id parent, int tasks, const char *thread)
{
    char path[64];
    long child;
    sampler_process p;
    snprintf(path, sizeof path, "%.20s/children", thread);
    int fd = openat(tasks, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) /* the thread has ended */
        return;
    FILE *list = fdopen(fd, "r");
    if (list == NULL)
        g_error("out of memory");
    while (fscanf(list, "%ld", &child) == 1)
        if (sampler_process_read(&p, (pid_t)child))
            add_child(s, parent, &p);
    fclose(list);
}

/* All is read through one descriptor, so that the lists are those of the parent. */
static void add_lists(search *s, sampler_process_id parent)
{
    int process = sampler_process_open(parent);
    int fd = process >= 0 ? openat(process, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    DIR *tasks = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    while (tasks != NULL && (entry = readdir(tasks)) != NULL)
        if (isdigit((unsigned char)entry->d_name[0]))
            add_list(s, parent, fd, entry->d_name);
    if (tasks != NULL)
        closedir(tasks);
    if (process >= 0)
        close(process);
}

/* Lists of children are much cheaper than all of /proc, ten times a second. */
void sampler_descent_look(sampler_descent *d, sampler_visit_fn *visit, void *context)
{
    search s = begin_search(d->root);
    if (access("/proc/thread-self/children", R_OK) != 0)
        search_all(d, &s);
    else
        for (guint n = 0; n < s.found->len; n++)
            add_lists(&s, found_at(&s, n)->id);
    end_search(&s, visit, context);
}

void sampler_process_descendants(sampler_process_id root, sampler_visit_fn *visit, void *context)
{
    sampler_descent *once = sampler_descent_new(root);
    sampler_descent_look(once, visit, context);
    sampler_descent_free(once);
}
