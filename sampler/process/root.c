#include "sampler/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <grp.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_LINKS = 40, MOST_DEPTH = 256, MOST_GROUPS = 65536 };

struct sampler_root {
    int fd;
    bool is_own, is_other_user;
    uid_t user;
    gid_t group;
    gid_t *groups;
    size_t group_count;
};

/* A list of numbers with blanks between them. */
static void parse_groups(sampler_root *r, const char *at)
{
    char *end;
    for (unsigned long group; r->group_count < MOST_GROUPS; at = end) {
        group = strtoul(at, &end, 10);
        if (end == at)
            return;
        r->groups = g_renew(gid_t, r->groups, r->group_count + 1);
        r->groups[r->group_count++] = (gid_t)group;
    }
}

/* Returns false if it is not known whose process it is. */
static bool read_user(sampler_root *r, int proc)
{
    int fd = openat(proc, "status", O_RDONLY | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    g_autofree char *line = NULL;
    size_t size = 0;
    bool has_user = false, has_group = false;
    if (file == NULL)
        return false;
    while (getline(&line, &size, file) > 0) {
        has_user = has_user || sscanf(line, "Uid: %*u %u", &r->user) == 1;
        has_group = has_group || sscanf(line, "Gid: %*u %u", &r->group) == 1;
        if (strncmp(line, "Groups:", 7) == 0)
            parse_groups(r, line + 7);
    }
    fclose(file);
    return has_user && has_group;
}

typedef struct identity {
    uid_t user;
    gid_t group;
    gid_t *groups;
    int group_count;
} identity;

/* Only root can be somebody else. These system calls, other than the functions of libc, are for this thread
 * alone. */
static bool begin_as(const sampler_root *r, identity *before)
{
    *before = (identity){.group_count = 0};
    if (!r->is_other_user)
        return true;
    before->group_count = getgroups(0, NULL);
    before->groups = g_new(gid_t, MAX(before->group_count, 1));
    before->group_count = getgroups(before->group_count, before->groups);
    if (before->group_count < 0 || syscall(SYS_setgroups, r->group_count, r->groups) != 0) {
        g_free(before->groups);
        return false;
    }
    before->group = (gid_t)setfsgid(r->group);
    before->user = (uid_t)setfsuid(r->user);
    return true;
}

static void end_as(const sampler_root *r, identity *before)
{
    int error_number = errno;
    if (r->is_other_user) {
        setfsuid(before->user);
        setfsgid(before->group);
        if (syscall(SYS_setgroups, before->group_count, before->groups) != 0)
            g_error("cannot take back its groups: %s", strerror(errno));
        g_free(before->groups);
    }
    errno = error_number;
}

/* Directories from the root on, and where the walk is. */
typedef struct walk {
    int directories[MOST_DEPTH];
    int depth; /* how many there are besides the root */
    int root, links;
    char rest[2 * PATH_MAX]; /* of the path */
} walk;

static int here(const walk *w)
{
    return w->depth > 0 ? w->directories[w->depth - 1] : w->root;
}

static void leave(walk *w, int depth)
{
    while (w->depth > depth)
        close(w->directories[--w->depth]);
}

/* Puts where a link leads before the rest of the path. */
static bool follow(walk *w, int link)
{
    char target[PATH_MAX], rest[sizeof w->rest];
    ssize_t length = readlinkat(link, "", target, sizeof target - 1);
    if (length <= 0 || ++w->links > MOST_LINKS) {
        errno = ELOOP;
        return false;
    }
    target[length] = '\0';
    memcpy(rest, w->rest, sizeof rest);
    if ((size_t)snprintf(w->rest, sizeof w->rest, "%s/%s", target, rest) >= sizeof w->rest) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (target[0] == '/')
        leave(w, 0);
    return true;
}

/* Takes the next component of the path to name. Returns false after the last one. */
static bool next_component(walk *w, char name[NAME_MAX + 1])
{
    char *at = w->rest + strspn(w->rest, "/");
    const size_t length = strcspn(at, "/");
    if (length == 0)
        return false;
    g_strlcpy(name, at, MIN(length, NAME_MAX) + 1);
    memmove(w->rest, at + length, strlen(at + length) + 1);
    return true;
}

/* Goes on to a component. Returns false if that cannot be. */
static bool step(walk *w, const char *name)
{
    struct stat st;
    if (strcmp(name, ".") == 0)
        return true;
    if (strcmp(name, "..") == 0) {
        leave(w, MAX(w->depth - 1, 0));
        return true;
    }
    int fd = openat(here(w), name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISLNK(st.st_mode)) {
        bool followed = follow(w, fd);
        close(fd);
        return followed;
    }
    if (w->depth == MOST_DEPTH) {
        close(fd);
        errno = ENAMETOOLONG;
        return false;
    }
    w->directories[w->depth++] = fd;
    return true;
}

/* What openat2() does, for kernels before 5.6. Links of /proc lead where their text says, and so not out of
 * the root. */
static int open_by_components(int root, const char *path)
{
    walk *w = g_new0(walk, 1);
    char name[NAME_MAX + 1];
    bool good = strlen(path) < PATH_MAX;
    w->root = root;
    g_strlcpy(w->rest, path, sizeof w->rest);
    while (good && next_component(w, name))
        good = step(w, name);
    int fd = good ? fcntl(here(w), F_DUPFD_CLOEXEC, 0) : -1;
    int error_number = errno;
    leave(w, 0);
    g_free(w);
    errno = error_number;
    return fd;
}

static int open_path(int root, const char *path)
{
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
    int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
    return fd < 0 && (errno == ENOSYS || errno == EPERM) ? open_by_components(root, path) : fd;
}

static bool is_same(int proc, const char *name, const char *own)
{
    struct stat its, ours;
    return fstatat(proc, name, &its, 0) == 0 && stat(own, &ours) == 0 && its.st_dev == ours.st_dev &&
           its.st_ino == ours.st_ino;
}

sampler_root *sampler_root_new(int proc)
{
    sampler_root *r = g_new0(sampler_root, 1);
    r->fd = openat(proc, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (r->fd < 0 || !read_user(r, proc)) {
        int error_number = errno;
        sampler_root_free(r);
        errno = error_number;
        return NULL;
    }
    r->is_own = is_same(proc, "root", "/proc/self/root") && is_same(proc, "ns/mnt", "/proc/self/ns/mnt");
    r->is_other_user = geteuid() == 0 && r->user != 0;
    return r;
}

void sampler_root_free(sampler_root *r)
{
    if (r == NULL)
        return;
    if (r->fd >= 0)
        close(r->fd);
    g_free(r->groups);
    g_free(r);
}

bool sampler_root_is_own(const sampler_root *r)
{
    return r->is_own;
}

static int find(const sampler_root *r, const char *path)
{
    identity before;
    if (!begin_as(r, &before))
        return -1;
    int fd = open_path(r->fd, path);
    end_as(r, &before);
    return fd;
}

bool sampler_root_stat(const sampler_root *r, const char *path, struct stat *to)
{
    int fd = find(r, path);
    bool found = fd >= 0 && fstat(fd, to) == 0;
    if (fd >= 0)
        close(fd);
    return found;
}

int sampler_root_open(const sampler_root *r, const char *path, struct stat *to)
{
    char again[32];
    identity before;
    int fd = -1, found = find(r, path);
    if (found < 0)
        return -1;
    errno = EPERM;
    if (fstat(found, to) == 0 && S_ISREG(to->st_mode) && begin_as(r, &before)) {
        snprintf(again, sizeof again, "/proc/self/fd/%d", found);
        fd = open(again, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        end_as(r, &before);
    }
    int error_number = errno;
    close(found);
    errno = error_number;
    return fd;
}

/* The link has the path that this process would have to take, also through the root of the other one. */
void sampler_root_cwd(int proc, char *to, size_t size)
{
    char root[PATH_MAX] = "", directory[PATH_MAX] = "";
    ssize_t root_length = readlinkat(proc, "root", root, sizeof root - 1);
    ssize_t length = readlinkat(proc, "cwd", directory, sizeof directory - 1);
    const char *within = directory;
    if (root_length > 1 && strncmp(directory, root, (size_t)root_length) == 0 &&
        (directory[root_length] == '/' || directory[root_length] == '\0'))
        within = directory[root_length] == '/' ? directory + root_length : "/";
    g_strlcpy(to, length > 0 && within[0] == '/' ? within : "", size);
}
