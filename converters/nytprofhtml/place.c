#include "place.h"

#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
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

/* Whether stock's program, or ours, writes a file of that name to the directory of a report. */
static bool is_report_file(const char *name)
{
    static const char *const whole[] = {"index.html",
                                        "index-subs-excl.html",
                                        "subs-treemap-excl.html",
                                        "style.css",
                                        "all_stacks_by_time.calls",
                                        "all_stacks_by_time.svg",
                                        "flamegraph_subattr.txt",
                                        "packages-callgraph.dot",
                                        "subs-callgraph.dot",
                                        NULL};
    static const char *const ends[] = {"-line.html", "-block.html", "-sub.html", ".dot", NULL};
    for (size_t i = 0; ends[i] != NULL; i++)
        if (g_str_has_suffix(name, ends[i]))
            return true;
    return g_strv_contains(whole, name);
}

/* In js/ and js/jit/. */
static bool is_script_file(const char *name)
{
    static const char *const whole[] = {"jquery-min.js",
                                        "asc.png",
                                        "bg.png",
                                        "desc.png",
                                        "jit.js",
                                        "Treemap.css",
                                        "jquery.tablesorter.min.js",
                                        "style-tablesorter.css",
                                        NULL};
    return g_strv_contains(whole, name) ||
           (g_str_has_prefix(name, "gradient") && g_str_has_suffix(name, ".png"));
}

typedef struct clearing {
    GPtrArray *files;       /* char *: to be removed */
    GPtrArray *directories; /* char *: then these, the innermost first */
    char *stranger;         /* a file that no report has; NULL: none was seen */
} clearing;

/* Adds the files in the directory. depth: 0 for the report's own directory, else one for its scripts. */
static void list_files(clearing *c, const char *directory, unsigned depth)
{
    enum { DEEPEST = 2 };
    g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
    for (const char *name; dir != NULL && c->stranger == NULL && (name = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *path = g_build_filename(directory, name, NULL);
        bool is_link = g_file_test(path, G_FILE_TEST_IS_SYMLINK);
        bool is_directory = !is_link && g_file_test(path, G_FILE_TEST_IS_DIR);
        if (is_directory && depth < DEEPEST && strcmp(name, depth == 0 ? "js" : "jit") == 0)
            list_files(c, path, depth + 1);
        else if (!is_link && !is_directory && (depth == 0 ? is_report_file(name) : is_script_file(name)))
            g_ptr_array_add(c->files, g_strdup(path));
        else
            c->stranger = g_strdup(path);
    }
    if (depth > 0)
        g_ptr_array_add(c->directories, g_strdup(directory));
}

static bool remove_listed(const GPtrArray *paths, int (*remove_one)(const char *))
{
    for (guint i = 0; i < paths->len; i++)
        if (remove_one(paths->pdata[i]) != 0) {
            nytp_say("%s: cannot remove it: %s", (const char *)paths->pdata[i], strerror(errno));
            return false;
        }
    return true;
}

bool html_place_clear(const char *path)
{
    char *base = g_path_get_basename(path), *directory = g_path_get_dirname(path);
    bool is_own = strcmp(base, "index.html") == 0;
    clearing c = {g_ptr_array_new_with_free_func(g_free), g_ptr_array_new_with_free_func(g_free), NULL};
    if (is_own)
        list_files(&c, directory, 0);
    if (c.stranger != NULL)
        nytp_say("%s: no report has this file, so -d removes nothing", c.stranger);
    bool done =
        c.stranger == NULL && remove_listed(c.files, g_unlink) && remove_listed(c.directories, g_rmdir);
    g_ptr_array_free(c.files, TRUE);
    g_ptr_array_free(c.directories, TRUE);
    g_free(c.stranger);
    g_free(base);
    g_free(directory);
    return done;
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
