#include "counts.h"

#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "model/states.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int count(const char *path, int to)
{
    static char name[] = "nytp-bench";
    char *argv[] = {name, NULL};
    nytp_start(name, argv);
    const nytp_common_options common = {.takes = NYTP_TAKES_TIME};
    nytp_profile *profile = nytp_profile_new();
    if (nytp_read_profile(path, &common, profile) < 0)
        return NYTP_EXIT_FAILED;
    const nytp_totals totals = nytp_profile_totals(profile);
    const bench_counts counts = {totals.calls, totals.statements, nytp_profile_waited_for_cpu_s(profile)};
    nytp_profile_free(profile);
    return nytp_exit(write(to, &counts, sizeof counts) == sizeof counts);
}

bool bench_counts_read(const char *profile, bench_counts *counts)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0) {
        nytp_say("cannot read %s: %s", profile, strerror(errno));
        return false;
    }
    const pid_t pid = fork();
    if (pid == 0)
        _exit(count(profile, ends[1]));
    close(ends[1]);
    const bool done = pid > 0 && read(ends[0], counts, sizeof *counts) == sizeof *counts;
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!done)
        nytp_say("the profile of this run cannot be read");
    return done;
}
