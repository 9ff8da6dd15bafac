#include "cli/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The name of the file. The signal handler reads it. NULL: there is none. */
static char *volatile temporary;

/* Signals from users and programs, and from the system when a resource is used up. */
static const int ending_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
                                     SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2};

void nytp_tempfile_remove(void)
{
    if (temporary != NULL)
        unlink(temporary);
}

static void remove_and_end(int signal_number)
{
    nytp_tempfile_remove();
    raise(signal_number); /* SA_RESETHAND restored the default action, which follows when this returns */
}

/* Ignored signals stay ignored, as nohup(1) wants. */
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
    int directory = slash != NULL ? (int)(slash - path + 1) : 0;
    char *name = NULL;
    return asprintf(&name, "%.*s.nytp-XXXXXX", directory, path) < 0 ? NULL : name;
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
