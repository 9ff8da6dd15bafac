#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBER_BYTES = 16 /* a slash, the digits of an unsigned, and NUL */ };

/* What the signal handler removes; NULL: nothing. */
static char *volatile temporary;
static char *volatile directory; /* has NUMBER_BYTES after the name */
static volatile unsigned directory_files;

/* Signals from users and programs, and from the system when a resource is used up. */
static const int ending_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
                                     SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2};

/* Writes "/12" and a NUL to end. Does not use stdio, because the signal handler calls it. */
static void append_number(char *end, unsigned number)
{
    char digits[NUMBER_BYTES];
    size_t length = 0;
    do
        digits[length++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    *end++ = '/';
    while (length > 0)
        *end++ = digits[--length];
    *end = '\0';
}

static void remove_directory(char *path)
{
    char *end = path + strlen(path);
    for (unsigned i = 0; i < directory_files; i++) {
        append_number(end, i);
        unlink(path);
    }
    *end = '\0';
    rmdir(path);
}

void nytp_tempdir_remove(void)
{
    if (directory != NULL)
        remove_directory(directory);
}

void nytp_tempfile_remove(void)
{
    if (temporary != NULL)
        unlink(temporary);
    nytp_tempdir_remove();
}

static void remove_and_end(int signal_number)
{
    nytp_tempfile_remove();
    raise(signal_number); /* SA_RESETHAND restored the default action, which follows when this returns */
}

/* Ignored signals stay ignored, as nohup(1) needs it. */
static void watch_signals(void)
{
    struct sigaction ours = {.sa_handler = remove_and_end, .sa_flags = (int)SA_RESETHAND}, before;
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++)
        if (sigaction(ending_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(ending_signals[i], &ours, NULL);
}

static char *hidden_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    int parent = slash != NULL ? (int)(slash - path + 1) : 0;
    char *name = NULL;
    return asprintf(&name, "%.*s.nytp-XXXXXX", parent, path) < 0 ? NULL : name;
}

int nytp_tempfile_create(const char *path, char **name)
{
    *name = hidden_name(path);
    if (*name == NULL)
        return -1;
    temporary = *name; /* set before the file exists: a signal may arrive right after */
    watch_signals();
    int fd = mkostemp(*name, O_CLOEXEC);
    if (fd < 0) {
        int why = errno;
        temporary = NULL;
        free(*name);
        *name = NULL;
        errno = why;
    }
    return fd;
}

void nytp_tempfile_release(void)
{
    temporary = NULL;
}

mode_t nytp_new_mode(mode_t most)
{
    mode_t mask = umask(0);
    umask(mask);
    return most & ~mask;
}

char *nytp_tempdir_create(const char *path)
{
    char *name = hidden_name(path);
    char *grown = name != NULL ? realloc(name, strlen(name) + NUMBER_BYTES) : NULL;
    if (grown == NULL) {
        free(name);
        errno = ENOMEM;
        return NULL;
    }
    directory_files = 0;
    directory = grown;
    watch_signals();
    if (mkdtemp(grown) != NULL)
        return grown;
    int why = errno;
    directory = NULL;
    free(grown);
    errno = why;
    return NULL;
}

FILE *nytp_tempdir_file(unsigned number)
{
    char path[PATH_MAX];
    if (strlen(directory) + NUMBER_BYTES > sizeof path) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    append_number(stpcpy(path, directory), number);
    directory_files = number + 1;
    return fopen(path, "wbxe");
}

void nytp_tempdir_release(void)
{
    directory = NULL;
}
