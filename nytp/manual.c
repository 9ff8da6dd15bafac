#include "nytp.h"

#include "cli/say.h"
#include "cli/sibling.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

/* Returns what to give to man: the file of a page in a section that belongs to the program at path, which man
 * need not find by itself, or else the page's name. */
static char *file_of(const char *page, int section, const char *path)
{
    g_autofree char *directory = g_path_get_dirname(path),
                    *installed = g_strdup_printf("../share/man/man%d", section);
    const char *const places[] = {"../man", installed, installed}, *const ends[] = {"", "", ".gz"};
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        char *file = g_strdup_printf("%s/%s/%s.%d%s", directory, places[i], page, section, ends[i]);
        if (access(file, R_OK) == 0)
            return file;
        g_free(file);
    }
    return g_strdup(page);
}

int verb_show_manual(const char *program, bool of_filters)
{
    g_autofree char *path = nytp_sibling_wanted(program);
    if (path == NULL)
        return NYTP_EXIT_FAILED;
    enum { PROGRAMS = 1, OTHERS = 7 };
    g_autofree char *file =
        of_filters ? file_of("nytprof-filters", OTHERS, path) : file_of(program, PROGRAMS, path);
    execlp("man", "man", file, (char *)NULL);
    execl(path, program, "--help", (char *)NULL);
    nytp_say("%s: cannot execute: %s", path, strerror(errno));
    return NYTP_EXIT_FAILED;
}
