#include "place.h"

#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_page_name(const char *path)
{
    return g_str_has_suffix(path, ".html") || g_str_has_suffix(path, ".htm");
}

char *html_place_of(const char *output)
{
    bool exists = g_file_test(output, G_FILE_TEST_EXISTS),
         is_directory = g_file_test(output, G_FILE_TEST_IS_DIR);
    if (strcmp(output, "-") == 0 || (exists && !is_directory) || (!exists && is_page_name(output)))
        return g_strdup(output);
    if (g_mkdir_with_parents(output, 0777) != 0) {
        nytp_say("%s: cannot create the directory: %s", output, strerror(errno));
        return NULL;
    }
    return g_build_filename(output, "index.html", NULL);
}

static bool run(const char *program, const char *path)
{
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        if (null >= 0)
            dup2(null, STDOUT_FILENO);
        if (null >= 0)
            dup2(null, STDERR_FILENO); /* each of them complains in lines of its own */
        execlp(program, program, path, (char *)NULL);
        _exit(127);
    }
    int status;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

void html_place_open(const char *path)
{
    static const char *const programs[] = {"xdg-open", "sensible-browser", "open"};
    g_autofree char *whole = g_canonicalize_filename(path, NULL);
    if (g_getenv("SSH_CONNECTION") != NULL || strcmp(path, "-") == 0) {
        if (strcmp(path, "-") == 0)
            nytp_say("--open: the report went to standard output, so there is no file to open");
        else
            nytp_say("this is a remote machine; on yours, run scp %s:%s . and open the file in a browser",
                     g_get_host_name(), whole);
        return;
    }
    bool opened = false;
    for (size_t i = 0; i < G_N_ELEMENTS(programs) && !opened; i++)
        opened = run(programs[i], whole);
    if (!opened)
        nytp_say("--open: no browser could be started; open file://%s", whole);
}
