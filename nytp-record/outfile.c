#include "outfile.h"

#include "base/newfile.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opening a FIFO waits until another program reads it. A sampler may wait. A program that is profiled may
 * not, so nytp_newfile_create() replaces FIFOs. */
static bool is_opened_as_it_is(const char *path)
{
    struct stat there;
    return lstat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode);
}

int record_outfile_open(const char *path, pid_t pid, bool add_pid, char **name)
{
    bool is_stdout = strcmp(path, "-") == 0;
    if (!is_stdout && (add_pid || !is_opened_as_it_is(path)))
        return nytp_newfile_create(path, pid, add_pid, name);
    *name = strdup(is_stdout ? "standard output" : path);
    if (*name == NULL)
        return -1;
    return is_stdout ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                     : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}
