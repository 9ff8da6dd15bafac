#include "bench.h"

#include "cli/sibling.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"
#include "model/states.h"

#include <errno.h>
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const bench_side_names[NYTP_SIDES] = {"OLD", "NEW"};

/* Prints the last lines that the command has written to standard error. */
static void show_end(const char *path)
{
    enum { LINES = 20, MOST_BYTES = 4000 };
    g_autofree char *text = NULL;
    gsize length = 0;
    if (!g_file_get_contents(path, &text, &length, NULL) || length == 0)
        return;
    const char *from = text + length - 1;
    for (int lines = 0; from > text && text + length - from < MOST_BYTES; from--)
        if (from[-1] == '\n' && ++lines == LINES)
            break;
    nytp_say("its standard error ends with");
    fwrite(from, 1, (size_t)(text + length - from), stderr);
    if (text[length - 1] != '\n')
        fputc('\n', stderr);
}

static nytp_job_end execute(const bench_options *o, const bench_place *place, enum nytp_side side,
                            const nytp_parts *parts, const char *errors)
{
    g_auto(GStrv) environment = nytp_parts_environment(parts);
    if (place->directory[side] != NULL)
        environment = g_environ_setenv(environment, "PWD", place->directory[side], TRUE);
    const nytp_job job = {.arguments = o->commands[side],
                          .environment = environment,
                          .directory = place->directory[side],
                          .input = "/dev/null",
                          .output = "/dev/null",
                          .errors = errors};
    return nytp_job_run(&job);
}

static int count(const char *path, int to)
{
    static char name[] = "nytp-bench";
    char *argv[] = {name, NULL};
    nytp_start(name, argv);
    const nytp_common_options common = {.takes = NYTP_TAKES_TIME};
    nytp_profile *profile = nytp_profile_new();
    if (nytp_read_profile(path, &common, profile, NULL) < 0)
        return NYTP_EXIT_FAILED;
    const nytp_totals totals = nytp_profile_totals(profile);
    const bench_counts counts = {totals.calls, totals.statements, nytp_profile_waited_for_cpu_s(profile)};
    nytp_profile_free(profile);
    return nytp_exit(write(to, &counts, sizeof counts) == sizeof counts);
}

/* Reads what the profile of a run counts, in a process of its own: reading limits the memory of its process
 * and changes what signals do, and the programs that run later would inherit that. Returns false after saying
 * why it failed. */
static bool read_counts(const char *profile, bench_counts *counts)
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

static bool take_profile(const nytp_parts *parts, bench_run *run)
{
    g_autofree char *profile = nytp_parts_end(parts);
    return profile != NULL && read_counts(profile, &run->counts);
}

bool bench_run_once(const bench_options *o, const bench_place *place, enum nytp_side side, uint32_t number,
                    bench_run *run)
{
    *run = (bench_run){.directory =
                           g_strdup_printf("%s/%s-%u", place->temporary, bench_side_names[side], number)};
    g_autofree char *errors = g_build_filename(run->directory, "stderr", NULL);
    nytp_parts parts;
    bool done = nytp_parts_begin(&parts, run->directory);
    if (done) {
        const nytp_job_end end = execute(o, place, side, &parts, errors);
        if (nytp_job_caught() != 0) {
            done = false;
        } else if (end.status != 0) {
            nytp_say("%s: %s failed with exit status %d", bench_side_names[side], o->commands[side][0],
                     end.status);
            show_end(errors);
            done = false;
        } else {
            done = take_profile(&parts, run);
        }
        run->taken_s = o->wall ? end.lasted_s : end.cpu_s;
        run->busy_share = end.lasted_s > 0 ? fmin(run->counts.waited_s / end.lasted_s, 1) : 0;
    }
    nytp_parts_free(&parts);
    return done;
}

void bench_run_clear(bench_run *run)
{
    if (run->directory != NULL)
        bench_remove(run->directory);
    g_free(run->directory);
    *run = (bench_run){0};
}
