#include "cli/say.h"

#include "base/shown.h"

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *program_name = "nytprof";

void nytp_set_name(const char *name)
{
    program_name = name;
}

const char *nytp_name(void)
{
    return program_name;
}

/* Escapes what names of files may contain, see base/shown.h. Prints the line in one piece and does not
 * allocate, since the message may be that memory is exhausted. */
static void say(bool is_advice, const char *format, va_list args)
{
    char message[2 * PATH_MAX], line[sizeof message + NYTP_ESCAPE_ROOM], escape[NYTP_ESCAPE_ROOM];
    size_t used = 0;
    vsnprintf(message, sizeof message, format, args);
    const char *end = message + strlen(message);
    for (const char *at = message; at < end && used < sizeof message;) {
        size_t length = nytp_shown_next(at, end, escape), shown = strlen(escape);
        memcpy(line + used, shown > 0 ? escape : at, shown > 0 ? shown : length);
        used += shown > 0 ? shown : length;
        at += length;
    }
    fprintf(stderr, "%s%s%.*s\n", is_advice ? "" : program_name, is_advice ? "  " : ": ", (int)used, line);
}

void nytp_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(false, format, args);
    va_end(args);
}

void nytp_advise(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(true, format, args);
    va_end(args);
}

int nytp_wrong_usage(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(false, format, args);
    va_end(args);
    fprintf(stderr, "Try '%s --help'.\n", program_name);
    return NYTP_EXIT_USAGE;
}

nytp_amount nytp_counted(uint64_t count, const char *what)
{
    nytp_amount number;
    snprintf(number.text, sizeof number.text, "%llu", (unsigned long long)count);
    return nytp_amount_of_things(number, what, count == 1);
}

void nytp_say_stacks_are_cut(uint32_t max_depth, uint64_t levels)
{
    if (levels > 0)
        nytp_say("warning: stacks are cut at --depth=%u; %s more were added to it", max_depth,
                 nytp_counted(levels, "level").text);
}

bool nytp_is_terminal(int fd)
{
    const char *term = getenv("TERM");
    return isatty(fd) && term != NULL && strcmp(term, "dumb") != 0;
}
