#include "bench.h"

#include "cli/say.h"
#include "cli/sibling.h"

#include <ftw.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    remove(path);
    return 0;
}

void bench_remove(const char *directory)
{
    enum { MOST_OPEN = 16 };
    nftw(directory, remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS);
}

/* Ctrl-C must not reach what tidies up. */
static void leave_group(gpointer context)
{
    (void)context;
    setpgid(0, 0);
}

/* Checks out the commit without the user's hooks, and sets where the command runs in it. */
static bool check_out(bench_place *p, const char *baseline)
{
    const char *const prefix_of[] = {"git", "rev-parse", "--show-prefix", NULL};
    g_autofree char *revision = g_strconcat(baseline, "^{commit}", NULL);
    const char *const commit_of[] = {"git", "rev-parse", "--verify", "--quiet", revision, NULL};
    if (*baseline == '-') {
        nytp_say("%s is not a commit", baseline);
        return false;
    }
    g_autofree char *prefix = nytp_git(prefix_of, NULL);
    g_autofree char *commit = prefix != NULL ? nytp_git(commit_of, NULL) : NULL;
    if (prefix == NULL)
        return false;
    if (commit == NULL) {
        nytp_say("--baseline=%s: there is no such commit here", baseline);
        return false;
    }
    p->worktree = g_build_filename(p->temporary, "baseline", NULL);
    const char *const add[] = {
        "git",  "-c", "core.hooksPath=/dev/null", "worktree", "add", "--quiet", "--detach", p->worktree,
        commit, NULL};
    g_autofree char *added = nytp_git(add, NULL);
    if (added == NULL) {
        nytp_say("--baseline=%s cannot be checked out", baseline);
        return false;
    }
    p->directory[NYTP_OLD] = g_build_filename(p->worktree, prefix, NULL);
    if (access(p->directory[NYTP_OLD], X_OK) == 0)
        return true;
    nytp_say("--baseline=%s does not have the directory %s", baseline, prefix);
    return false;
}

bool bench_place_begin(bench_place *p, const char *baseline)
{
    g_autoptr(GError) error = NULL;
    *p = (bench_place){.temporary = g_dir_make_tmp("nytp-bench-XXXXXX", &error)};
    if (error != NULL)
        nytp_say("%s", error->message);
    return error == NULL && (baseline == NULL || check_out(p, baseline));
}

void bench_place_end(bench_place *p)
{
    if (p->worktree != NULL) {
        const char *const take_away[] = {"git", "worktree", "remove", "--force", p->worktree, NULL};
        g_free(nytp_git(take_away, leave_group));
    }
    if (p->temporary != NULL)
        bench_remove(p->temporary);
    g_free(p->worktree);
    g_free(p->directory[NYTP_OLD]);
    g_free(p->directory[NYTP_NEW]);
    g_free(p->temporary);
    *p = (bench_place){0};
}
