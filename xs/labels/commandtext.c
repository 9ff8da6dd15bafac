#include "labels/labeltext.h"

#include <ctype.h>
#include <string.h>

typedef struct word {
    const char *at, *end;
} word;

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ';
}

static word next_word(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    word w = {at, at};
    while (w.end < end && !is_blank(*w.end))
        w.end++;
    return w;
}

static bool has_any(word w, const char *characters)
{
    for (; w.at < w.end; w.at++)
        if (strchr(characters, *w.at) != NULL)
            return true;
    return false;
}

/* Whether it can be the name of a subcommand or a file, and of nothing else. */
static bool is_name(word w)
{
    enum { LONGEST = 60 };
    if (w.at == w.end || w.end - w.at > LONGEST || *w.at == '-')
        return false;
    for (const char *c = w.at; c < w.end; c++)
        if (!isalnum((unsigned char)*c) && (*c == '\0' || strchr("._/+-", *c) == NULL))
            return false;
    return true;
}

static size_t put(char *to, size_t length, word w)
{
    size_t size = (size_t)(w.end - w.at);
    if (length > 0)
        to[length++] = ' ';
    size = size < PROF_COMMAND_MAX / 2 - 1 ? size : PROF_COMMAND_MAX / 2 - 1;
    memcpy(to + length, w.at, size);
    return length + size;
}

size_t prof_command_normalise(const char *command, size_t length, const char *next, size_t next_length,
                              char *to)
{
    const char *end = command + length;
    word program = next_word(command, end);
    while (next == NULL && has_any(program, "="))
        program = next_word(program.end, end);
    if (next == NULL && has_any(program, "'\"`$;&|<>(){}*?\\")) /* a shell makes something else of it */
        program.end = program.at;
    if (program.at == program.end || has_any(program, "=@"))
        return 0;
    const word second = next != NULL ? (word){next, next + next_length} : next_word(program.end, end);
    length = put(to, 0, program);
    return is_name(second) ? put(to, length, second) : length;
}
