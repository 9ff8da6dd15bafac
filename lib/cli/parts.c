#include "cli/sibling.h"

#include "base/newfile.h"
#include "cli/output.h"
#include "cli/say.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define PROFILE "nytprof.out"
#define NAMES   "names"

bool nytp_parts_begin(nytp_parts *p, const char *directory)
{
    g_autoptr(GError) error = NULL;
    *p = (nytp_parts){0};
    if (directory == NULL)
        p->directory = g_dir_make_tmp("nytp-XXXXXX", &error);
    else
        p->directory = g_canonicalize_filename(directory, NULL); /* the program may change its directory */
    if (error != NULL) {
        nytp_say("%s", error->message);
        return false;
    }
    p->parts = g_build_filename(p->directory, "parts-XXXXXX", NULL);
    if (g_mkdir_with_parents(p->directory, 0777) == 0 && g_mkdtemp(p->parts) != NULL)
        return true;
    nytp_say("%s: cannot create a directory there: %s", p->directory, strerror(errno));
    return false;
}

void nytp_parts_free(nytp_parts *p)
{
    g_free(p->directory);
    g_free(p->parts);
}

void nytp_collector_option(GString *options, const char *name, const char *value)
{
    g_string_append_printf(options, "%s%s=", options->len > 0 ? ":" : "", name);
    for (; *value != '\0'; value++) {
        if (strchr(":=\\", *value) != NULL)
            g_string_append_c(options, '\\');
        g_string_append_c(options, *value);
    }
}

char *nytp_perl_switches(const char *ours, const char *of_user)
{
    if (of_user == NULL)
        return g_strdup(ours);
    const bool is_taint = strncmp(of_user + strspn(of_user, " \t\n"), "-T", 2) == 0;
    return is_taint ? g_strdup(of_user) : g_strconcat(ours, " ", of_user, NULL);
}

char **nytp_parts_environment(const nytp_parts *p)
{
    char **environment = nytp_sibling_environment();
    g_autofree char *switches = nytp_perl_switches("-d:NYTProf", g_environ_getenv(environment, "PERL5OPT"));
    g_autofree char *file = g_build_filename(p->parts, PROFILE, NULL);
    g_autoptr(GString) options = g_string_new(g_environ_getenv(environment, "NYTPROF"));
    nytp_collector_option(options, "file", file);
    nytp_collector_option(options, "addpid", "1");
    environment = g_environ_setenv(environment, "PERL5OPT", switches, TRUE);
    return g_environ_setenv(environment, "NYTPROF", options->str, TRUE);
}

/* Returns how many profiles are still being written after the processes had a second to end. */
static unsigned wait_for_writers(const GPtrArray *paths)
{
    enum { NAP_US = 10000, NAPS = 100 };
    unsigned written = 0, naps = 0;
    for (unsigned i = 0; i < paths->len; i++) {
        while (nytp_newfile_is_written(paths->pdata[i]) && naps < NAPS) {
            g_usleep(NAP_US);
            naps++;
        }
        written += nytp_newfile_is_written(paths->pdata[i]);
    }
    return written;
}

/* Writes their names to a file, since there may be more than a command line takes. */
static bool write_names(const char *path, char *const *parts, size_t count)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) names = g_string_new(NULL);
    for (size_t i = 0; i < count; i++)
        g_string_append_len(names, parts[i], (gssize)strlen(parts[i]) + 1);
    if (!g_file_set_contents(path, names->str, (gssize)names->len, &error))
        nytp_say("%s", error->message);
    return error == NULL;
}

/* Merges parts, of which there are several. Returns false after it or nytprofmerge has said why. */
static bool merge(const nytp_parts *p, const char *result, char *const *parts, size_t count)
{
    g_autofree char *names = g_build_filename(p->parts, NAMES, NULL);
    g_autofree char *from = g_strconcat("--from-file=", names, NULL);
    const char *const arguments[] = {"nytprofmerge", from, "--output", result, NULL};
    return write_names(names, parts, count) && nytp_sibling_run(arguments);
}

/* Makes the result of the parts. Returns false after saying why it failed. */
static bool make_result(const nytp_parts *p, char *const *parts, size_t count, const char *result)
{
    if (count > 1)
        return merge(p, result, parts, count);
    if (count == 0 || rename(parts[0], result) == 0)
        return true;
    nytp_say("%s: cannot be renamed to %s: %s", parts[0], result, strerror(errno));
    return false;
}

static void remove_parts(const nytp_parts *p, const GPtrArray *paths)
{
    g_autofree char *names = g_build_filename(p->parts, NAMES, NULL);
    for (unsigned i = 0; i < paths->len; i++)
        unlink(paths->pdata[i]);
    unlink(names);
    rmdir(p->parts);
}

char *nytp_parts_end(const nytp_parts *p)
{
    g_autoptr(GPtrArray) paths = nytp_directory_list(p->parts, PROFILE ".");
    unsigned written = wait_for_writers(paths);
    if (written > 0)
        nytp_say("%s still being written; what is there is used",
                 written == 1 ? "1 profile is" : "several profiles are");
    char *profile = g_build_filename(p->directory, PROFILE, NULL);
    if (!make_result(p, (char *const *)paths->pdata, paths->len, profile)) {
        nytp_say("the profiles of the processes are in %s", p->parts);
        g_free(profile);
        return NULL;
    }
    remove_parts(p, paths);
    if (paths->len > 0 && access(profile, R_OK) == 0)
        return profile;
    nytp_say("no perl has written a profile");
    g_free(profile);
    return NULL;
}
