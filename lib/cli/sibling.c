#include "cli/sibling.h"

#include "cli/say.h"

#include <errno.h>
#include <glib.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Returns the directory of this program, for g_free(). */
static char *own_directory(void)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    return g_path_get_dirname(self);
}

char **nytp_sibling_environment(void)
{
    char **environment = g_get_environ();
    g_autofree char *bin = own_directory();
    g_autofree char *build = g_path_get_dirname(bin);
    g_autofree char *modules = g_build_filename(build, "perl5", NULL);
    g_autofree char *collector = g_build_filename(modules, "Devel", "NYTProf.pm", NULL);
    if (access(collector, R_OK) != 0)
        return environment;
    const char *of_user = g_environ_getenv(environment, "PERL5LIB");
    g_autofree char *both =
        g_strjoin(of_user != NULL ? ":" : "", of_user != NULL ? of_user : "", modules, NULL);
    return g_environ_setenv(environment, "PERL5LIB", both, TRUE);
}

char *nytp_sibling_find(const char *program)
{
    g_autofree char *directory = own_directory();
    char *path = g_build_filename(directory, program, NULL);
    if (access(path, X_OK) == 0)
        return path;
    g_free(path);
    return g_find_program_in_path(program);
}

char *nytp_sibling_wanted(const char *program)
{
    char *path = nytp_sibling_find(program);
    if (path == NULL)
        nytp_say("%s is not installed", program);
    return path;
}

bool nytp_sibling_run(const char *const *arguments)
{
    g_autofree char *path = nytp_sibling_wanted(arguments[0]);
    if (path == NULL)
        return false;
    g_auto(GStrv) copy = g_strdupv((char **)arguments);
    g_free(copy[0]);
    copy[0] = g_strdup(path);
    g_autoptr(GError) error = NULL;
    int status;
    if (g_spawn_sync(NULL, copy, NULL, G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status, &error))
        return status == 0;
    nytp_say("%s", error->message);
    return false;
}

int nytp_sibling_execute(const char *program, char **arguments)
{
    g_autofree char *path = nytp_sibling_wanted(program);
    if (path == NULL)
        return NYTP_EXIT_FAILED;
    execv(path, arguments);
    nytp_say("%s: cannot execute: %s", path, strerror(errno));
    return NYTP_EXIT_FAILED;
}

char *nytp_git(const char *const *arguments, GSpawnChildSetupFunc setup)
{
    g_autoptr(GError) error = NULL;
    char *output = NULL;
    int status = -1;
    g_spawn_sync(NULL, (char **)arguments, NULL, G_SPAWN_SEARCH_PATH, setup, NULL, &output, NULL, &status,
                 &error);
    if (error != NULL)
        nytp_say("git: %s", error->message);
    if (error == NULL && status == 0)
        return g_strchomp(output);
    g_free(output);
    return NULL;
}
