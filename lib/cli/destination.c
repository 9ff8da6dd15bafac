#include "cli/output.h"

#include "base/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_trusted(const struct stat *there)
{
    return there->st_uid == geteuid() || there->st_uid == 0;
}

/* Returns what the link at `at` contains, as a path from where `at` is; NULL: out of memory. */
static char *join(const char *at, const char *target)
{
    const char *slash = target[0] != '/' ? strrchr(at, '/') : NULL;
    char *joined = NULL;
    if (asprintf(&joined, "%.*s%s", slash != NULL ? (int)(slash - at + 1) : 0, at, target) < 0)
        return NULL;
    return joined;
}

/* Returns what the next link leads to. Returns NULL if `at` is not a link, or if it is refused: then sets
 * *why. */
static char *follow_one(const char *at, const char **why)
{
    char target[PATH_MAX];
    struct stat link;
    *why = NULL;
    if (nytp_newfile_is_device(at) || lstat(at, &link) != 0 || !S_ISLNK(link.st_mode))
        return NULL;
    ssize_t size = readlink(at, target, sizeof target - 1);
    target[size > 0 ? size : 0] = '\0';
    if (!is_trusted(&link)) {
        *why = "it is a symbolic link of another user";
        return NULL;
    }
    char *next = size > 0 ? join(at, target) : NULL;
    if (next == NULL)
        *why = strerror(errno);
    return next;
}

char *nytp_destination_follow(const char *path, const char **why)
{
    enum { MOST_LINKS = 40 }; /* Linux follows no more */
    char *at = strdup(path), *next = NULL;
    *why = at == NULL ? strerror(errno) : NULL;
    for (int i = 0; at != NULL && i <= MOST_LINKS && (next = follow_one(at, why)) != NULL; i++) {
        free(at);
        at = next;
    }
    if (next != NULL)
        *why = strerror(ELOOP);
    if (*why == NULL)
        return at;
    free(at);
    return NULL;
}

bool nytp_destination_is_in_place(const char *path)
{
    struct stat there;
    if (nytp_newfile_is_device(path))
        return true;
    return lstat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode);
}

/* Returns the descriptor that is named; -1: none. */
static int descriptor_of(const char *path)
{
    static const char *const directories[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof directories / sizeof directories[0]; i++) {
        size_t length = strlen(directories[i]);
        const char *digits = path + length;
        if (strncmp(path, directories[i], length) == 0 && *digits != '\0' &&
            digits[strspn(digits, "0123456789")] == '\0')
            return (int)strtol(digits, NULL, 10);
    }
    return -1;
}

static bool is_refused(const struct stat *there, const char **why)
{
    if (!S_ISFIFO(there->st_mode) || is_trusted(there))
        return false;
    *why = "it is a FIFO of another user (use -o - with a redirection)";
    return true;
}

/* It is looked at before, since opening a FIFO waits for its reader, and afterwards, since it may be another
 * one by then. */
static int open_special(const char *path, const char **why)
{
    struct stat there;
    if (lstat(path, &there) == 0 && is_refused(&there, why))
        return -1;
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
    if (fd < 0 || fstat(fd, &there) != 0)
        *why = strerror(errno);
    else if (S_ISREG(there.st_mode))
        *why = "it was replaced meanwhile";
    else if (!is_refused(&there, why))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

int nytp_destination_open(const char *path, const char **why)
{
    int number = descriptor_of(path);
    if (number < 0 && !nytp_newfile_is_device(path))
        return open_special(path, why);
    int fd = number >= 0 ? fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                         : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        *why = strerror(errno);
    return fd;
}

/* Creating a file needs the directory only, also if the file replaces another. */
static bool is_creatable(const char *path)
{
    g_autofree char *directory = g_path_get_dirname(path), *itself = g_strconcat(directory, "/.", NULL);
    return eaccess(itself, W_OK | X_OK) == 0;
}

bool nytp_destination_is_writable(const char *path, const char **why)
{
    struct stat there;
    bool exists = lstat(path, &there) == 0;
    if (exists && is_refused(&there, why))
        return false;
    int number = descriptor_of(path);
    if (exists && S_ISDIR(there.st_mode))
        errno = EISDIR;
    else if (number >= 0                          ? fcntl(number, F_GETFD) >= 0
             : nytp_destination_is_in_place(path) ? eaccess(path, W_OK) == 0
                                                  : is_creatable(path))
        return true;
    *why = strerror(errno);
    return false;
}
