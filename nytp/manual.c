#include "nytp.h"

#include "cli/say.h"
#include "cli/sibling.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

/* Returns what to give to man: the file that belongs to the program, which man need not find by itself, or
 * else the page's name. */
static char *page_of(const char *program, const char *path)
{
    static const char *const places[] = {"../man/%s.1", "../share/man/man1/%s.1",
                                         "../share/man/man1/%s.1.gz"};
    g_autofree char *directory = g_path_get_dirname(path);
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        g_auto(GStrv) halves = g_strsplit(places[i], "%s", 2);
        char *page = g_strconcat(directory, "/", halves[0], program, halves[1], NULL);
        if (access(page, R_OK) == 0)
            return page;
        g_free(page);
    }
    return g_strdup(program);
}

int verb_show_manual(const char *program)
{
    g_autofree char *path = nytp_sibling_wanted(program);
    if (path == NULL)
        return NYTP_EXIT_FAILED;
    g_autofree char *page = page_of(program, path);
    execlp("man", "man", page, (char *)NULL);
    execl(path, program, "--help", (char *)NULL);
    nytp_say("%s: cannot execute: %s", path, strerror(errno));
    return NYTP_EXIT_FAILED;
}
