#include "cli/output.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

nytp_look nytp_look_of(const char *path)
{
    struct winsize size;
    enum { USUAL = 80, MOST = 100000 };
    nytp_look look = {0};
    if ((path != NULL && strcmp(path, "-") != 0) || !isatty(STDOUT_FILENO))
        return look;
    const char *columns = getenv("COLUMNS");
    const long asked = columns != NULL ? strtol(columns, NULL, 10) : 0;
    setlocale(LC_CTYPE, "");
    look.is_ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    look.columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                   : asked > 0 && asked < MOST                                     ? (size_t)asked
                                                                                   : USUAL;
    return look;
}
