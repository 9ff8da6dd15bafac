#include "cli/start.h"

#include "cli/say.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* If one is closed, the next file that is opened gets its number, and messages would be written into that
 * file. Each descriptor is opened for the wrong direction, so that using it still fails. */
static void occupy_standard_descriptors(void)
{
    static const int wrong_direction[] = {
        [STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", wrong_direction[fd]) < 0)
            return; /* without /dev/null nothing can be done */
}

void nytp_start(const char *name, char **argv)
{
    static char kept[32];
    snprintf(kept, sizeof kept, "%s", name);
    argv[0] = kept;
    nytp_set_name(kept);
    occupy_standard_descriptors();
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN); /* write() fails with EFBIG instead */
    nytp_limit_begin();
}
