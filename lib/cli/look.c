#include "cli/output.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *const nytp_color_words[] = {
    [NYTP_COLOR_AUTO] = "auto", [NYTP_COLOR_ALWAYS] = "always", [NYTP_COLOR_NEVER] = "never", NULL};

/* Whether the terminal at standard output has colours that its user wants. */
static bool wants_colors(void)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return (none == NULL || *none == '\0') && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

nytp_look nytp_look_of(const char *path, enum nytp_color color)
{
    struct winsize size;
    enum { USUAL = 80, MOST = 100000 };
    nytp_look look = {.has_colors = color == NYTP_COLOR_ALWAYS};
    if ((path != NULL && strcmp(path, "-") != 0) || !isatty(STDOUT_FILENO))
        return look;
    look.has_colors |= color == NYTP_COLOR_AUTO && wants_colors();
    const char *columns = getenv("COLUMNS");
    const long asked = columns != NULL ? strtol(columns, NULL, 10) : 0;
    setlocale(LC_CTYPE, "");
    look.is_ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    look.columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                   : asked > 0 && asked < MOST                                     ? (size_t)asked
                                                                                   : USUAL;
    return look;
}
