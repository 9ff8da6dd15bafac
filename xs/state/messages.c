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

/* Returns the text, in memory that is to be freed if it is not `enough`. A path may be long, and the reason
 * comes last; but there may be no memory. */
static char *format_text(char *enough, size_t size, const char *format, va_list args)
{
    char *text;
    va_list again;
    va_copy(again, args);
    if ((size_t)vsnprintf(enough, size, format, args) < size || vasprintf(&text, format, again) < 0)
        text = enough;
    va_end(again);
    return text;
}

void prof_say(const prof_messages *messages, const char *format, ...)
{
    char enough[512];
    va_list args;
    const int log = messages->log_path != NULL
                        ? open(messages->log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)
                        : -1;
    va_start(args, format);
    char *text = format_text(enough, sizeof enough, format, args);
    va_end(args);
    if (log >= 0 || may_use_stderr(messages))
        dprintf(log >= 0 ? log : STDERR_FILENO, "Devel::NYTProf: %s\n", text);
    if (text != enough)
        free(text);
    if (log >= 0)
        close(log);
}
