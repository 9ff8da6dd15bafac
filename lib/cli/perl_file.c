#include "cli/perl_file.h"

#include "cli/say.h"
#include "base/str.h"
#include "model/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_MIB = 32, MOST_MIB_IN_ALL = 512, MIB = 1 << 20 };

static bool begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

static bool is_of_the_system(const char *path)
{
    return begins_with(path, "/proc/") || begins_with(path, "/sys/") || begins_with(path, "/dev/");
}

static bool has_suffix(const char *path)
{
    return g_regex_match_simple("\\.(?:p[lmh]|pmc|psgi|PL|t|al|f?cgi)\\z", path, G_REGEX_RAW, 0);
}

/* Whether the file begins as a script does that the system gives to perl. */
static bool is_script(int fd)
{
    enum { LONGEST_LINE = 256 /* BINPRM_BUF_SIZE in linux/binfmts.h */ };
    char head[LONGEST_LINE];
    ssize_t size = pread(fd, head, sizeof head, 0);
    const char *end = size > 0 ? memchr(head, '\n', (size_t)size) : NULL;
    size_t length = end != NULL ? (size_t)(end - head) : size > 0 ? (size_t)size : 0;
    return length > 2 && memcmp(head, "#!", 2) == 0 && memmem(head, length, "perl", strlen("perl")) != NULL;
}

const char *nytp_perl_file_refusal(const char *path, int fd)
{
    if (is_of_the_system(path))
        return "it is below /proc, /sys or /dev";
    return has_suffix(path) || is_script(fd) ? NULL : "neither its name nor its first line is Perl's";
}

/* Returns 0 if the file may be read, else an errno, and sets *why. */
static int refusal(const nytp_perl_files *files, const struct stat *st, const char **why)
{
    if (!S_ISREG(st->st_mode)) {
        *why = "it is not a regular file";
        return EPERM;
    }
    if (st->st_size > (off_t)MOST_MIB * MIB)
        *why = "it is larger than 32 MiB";
    else if (files->read_bytes + (uint64_t)st->st_size > (uint64_t)MOST_MIB_IN_ALL * MIB)
        *why = "512 MiB of source have been read already";
    return *why != NULL ? EFBIG : 0;
}

char *nytp_perl_file_bytes(int fd, size_t *size)
{
    char *text = malloc(*size + 1);
    size_t used = 0;
    ssize_t got = 1;
    while (text != NULL && used < *size && got != 0) {
        got = read(fd, text + used, *size - used);
        if (got >= 0) {
            used += (size_t)got;
        } else if (errno != EINTR) {
            int error = errno;
            free(text);
            errno = error;
            return NULL;
        }
    }
    if (text != NULL)
        text[used] = '\0';
    *size = used;
    return text;
}

/* The next three set *why if they refuse the file. */

static char *read_open(nytp_perl_files *files, int fd, const char *path, size_t *size, const char **why)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || (errno = refusal(files, &st, why)) != 0)
        return NULL;
    if ((*why = nytp_perl_file_refusal(path, fd)) != NULL) {
        errno = EPERM;
        return NULL;
    }
    *size = (size_t)st.st_size;
    char *text = nytp_perl_file_bytes(fd, size);
    if (text != NULL) {
        files->read_bytes += *size;
        files->newer += files->recorded_s > 0 && (double)st.st_mtime > files->recorded_s;
    }
    return text;
}

/* Looks at the file before opening it, because opening a FIFO wakes up a process that writes to it. */
static char *read_real(nytp_perl_files *files, const char *path, size_t *size, const char **why)
{
    struct stat st;
    int fd = -1;
    if (lstat(path, &st) != 0 || (errno = refusal(files, &st, why)) != 0 ||
        (fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC)) < 0)
        return NULL;
    char *text = read_open(files, fd, path, size, why);
    int error = errno;
    close(fd);
    errno = error;
    return text;
}

static char *read_named(nytp_perl_files *files, const char *path, size_t *size, const char **why)
{
    if (!is_of_the_system(path))
        return read_real(files, path, size, why);
    *why = "it is below /proc, /sys or /dev";
    errno = EPERM;
    return NULL;
}

char *nytp_perl_file_read(nytp_perl_files *files, const char *path, size_t *size)
{
    const uint32_t newer = files->newer;
    const char *why = NULL;
    errno = EPERM;
    if (files->none)
        return NULL;
    char *real = realpath(path, NULL), *text = real != NULL ? read_named(files, real, size, &why) : NULL;
    int error = errno;
    bool missing = error == ENOENT || error == ENOTDIR;
    if (text != NULL && files->verbose)
        nytp_say("source from %s%s", real, files->newer > newer ? ", which has changed since" : "");
    else if (text == NULL && (error == EFBIG || (files->verbose && !missing)))
        nytp_say("no source from %s: %s", real != NULL ? real : path, why != NULL ? why : strerror(error));
    free(real);
    errno = error;
    return text;
}

void nytp_perl_files_recorded(nytp_perl_files *files, const nytp_profile *profile)
{
    const double newer = nytp_str_number(nytp_profile_attribute(profile, "source_newer"));
    files->recorded_s = nytp_str_number(nytp_profile_attribute(profile, "basetime"));
    files->none |= nytp_str_is(nytp_profile_attribute(profile, "source_files"), "none");
    files->newer += (uint32_t)fmin(fmax(newer, 0), UINT32_MAX);
}
