#include "state/messages.h"

#include "basics/paths.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>

void prof_messages_free(prof_messages *messages)
{
    free(messages->log_path);
}

void prof_set_log(prof_messages *messages, const char *path)
{
    free(messages->log_path);
    messages->log_path = path != NULL ? prof_absolute(path, strlen(path), NULL) : NULL;
}

void prof_note_stderr(pTHX_ prof_messages *messages)
{
    struct stat is;
    GV *gv = PL_stderrgv;
    IO *io = gv != NULL && SvREFCNT(gv) > 0 && isGV_with_GP(gv) ? GvIO(gv) : NULL;
    PerlIO *handle = io != NULL ? IoOFP(io) : NULL;
    messages->stderr_lost = messages->stderr_lost || fstat(STDERR_FILENO, &is) != 0;
    if (messages->stderr_lost || handle == NULL || PerlIO_fileno(handle) != STDERR_FILENO)
        return;
    messages->stderr_known = true;
    messages->stderr_device = is.st_dev;
    messages->stderr_inode = is.st_ino;
}

/* A program that has closed STDERR may have opened a file of its own on that descriptor. */
static bool may_use_stderr(const prof_messages *messages)
{
    struct stat is;
    return messages->stderr_known && !messages->stderr_lost && fstat(STDERR_FILENO, &is) == 0 &&
           is.st_dev == messages->stderr_device && is.st_ino == messages->stderr_inode;
}

void prof_say(const prof_messages *messages, const char *format, ...)
{
    char *text;
    va_list args;
    const int log = messages->log_path != NULL
                        ? open(messages->log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)
                        : -1;
    va_start(args, format);
    const int length = vasprintf(&text, format, args); /* a path may be long, and the reason comes last */
    va_end(args);
    if (length >= 0 && (log >= 0 || may_use_stderr(messages)))
        dprintf(log >= 0 ? log : STDERR_FILENO, "Devel::NYTProf: %s\n", text);
    if (length >= 0)
        free(text);
    if (log >= 0)
        close(log);
}
