#include "pages.h"

#include "cli/output.h"
#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_page_name(const char *path)
{
    return g_str_has_suffix(path, ".html") || g_str_has_suffix(path, ".htm");
}

char *html_place_of(const char *output, char **made)
{
    bool exists = g_file_test(output, G_FILE_TEST_EXISTS),
         is_directory = g_file_test(output, G_FILE_TEST_IS_DIR);
    if (strcmp(output, "-") == 0 || (exists && !is_directory) || (!exists && is_page_name(output)))
        return g_strdup(output);
    if (nytp_newdir_make(output, made) != 0) {
        nytp_say("%s: cannot create the directory: %s", output, strerror(errno));
        return NULL;
    }
    return g_build_filename(output, "index.html", NULL);
}

/* quietly: without what it prints, because each that fails would complain in lines of its own. */
static bool run(char **command, bool quietly)
{
    if (command[0] == NULL)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        int null = quietly ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
        if (null >= 0)
            dup2(null, STDOUT_FILENO);
        if (null >= 0)
            dup2(null, STDERR_FILENO);
        execvp(command[0], command);
        _exit(127);
    }
    int status;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* Runs a command of $BROWSER, in which %s stands for the address, which is its last argument otherwise. */
static bool run_of_user(const char *command, const char *path)
{
    bool has_place = strstr(command, "%s") != NULL;
    g_auto(GStrv) words = NULL;
    g_autofree char *whole = g_strconcat(command, has_place ? NULL : " %s", NULL);
    if (*command == '\0' || !g_shell_parse_argv(whole, NULL, &words, NULL))
        return false;
    for (char **word = words; *word != NULL; word++) {
        g_auto(GStrv) parts = g_strsplit(*word, "%s", -1);
        g_free(*word);
        *word = g_strjoinv(path, parts);
    }
    return run(words, false); /* w3m(1) shows it on this terminal */
}

/* The first command that succeeds is taken. */
static bool open_as_user_wants(const char *path)
{
    const char *wanted = g_getenv("BROWSER");
    g_auto(GStrv) commands = g_strsplit(wanted != NULL ? wanted : "", ":", -1);
    for (char **command = commands; *command != NULL; command++)
        if (run_of_user(*command, path))
            return true;
    return false;
}

static bool open_as_system_does(const char *path)
{
    static const char *const programs[] = {"xdg-open", "sensible-browser", "open"};
    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
        if (run((char *[]){(char *)programs[i], (char *)path, NULL}, true))
            return true;
    return false;
}

void html_place_open(const char *path)
{
    g_autofree char *whole = g_canonicalize_filename(path, NULL);
    if (strcmp(path, "-") == 0)
        nytp_say("--open: the report went to standard output, so there is no file to open");
    else if (open_as_user_wants(whole))
        return;
    else if (g_getenv("SSH_CONNECTION") != NULL)
        nytp_say("this is a remote machine; on yours, run scp %s:%s . and open the file in a browser",
                 g_get_host_name(), whole);
    else if (!open_as_system_does(whole))
        nytp_say("--open: no browser could be started; open file://%s", whole);
}
