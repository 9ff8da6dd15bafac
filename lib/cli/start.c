#include "cli/start.h"

#include "cli/limit.h"
#include "cli/say.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* If one is closed, the next file opened would get its number, and messages would end up in that file. The
 * descriptor opened here has the other direction, so that using it fails as before. */
static void occupy_standard_descriptors(void)
{
    static const int other_direction[] = {
        [STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", other_direction[fd]) < 0)
            return; /* a machine without /dev/null has other worries */
}

void nytp_start(const char *name, char **argv)
{
    static char kept[32];
    snprintf(kept, sizeof kept, "%s", name);
    argv[0] = kept;
    nytp_set_name(kept);
    occupy_standard_descriptors();
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); /* writing says that the file is too large */
    nytp_limit_begin();
}
