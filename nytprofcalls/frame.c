#include "frame.h"

#include <stdlib.h>
#include <string.h>

/* Room for every byte escaped, which takes two. NULL never: out of memory ends the program. */
static char *room_for(size_t length)
{
    char *room = malloc(2 * length + 1);
    if (room == NULL)
        abort();
    return room;
}

static char *put_byte(char *to, char byte)
{
    static const char special[] = {';', ' ', '\t', '\n', '\r', '\0'};
    static const char *const shown[] = {"?", "?", "?", "\\n", "\\r", "\\0"};
    const char *at = memchr(special, byte, sizeof special);
    if (at == NULL) {
        *to++ = byte;
        return to;
    }
    return stpcpy(to, shown[at - special]);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The last ":LINE]", with which the name of an eval's file ends; NULL: there is none. */
static const char *last_place(const char *name, const char *end)
{
    const char *colon = end;
    while (colon > name && (colon = memrchr(name, ':', (size_t)(colon - name))) != NULL) {
        const char *digit = colon + 1;
        while (digit < end && is_digit(*digit))
            digit++;
        if (digit > colon + 1 && digit < end && *digit == ']')
            return colon;
    }
    return NULL;
}

/* The N of "(eval N)[" at paren, if a file follows before place; else NULL. */
static const char *eval_number(const char *paren, const char *place)
{
    static const char word[] = "eval";
    enum { LENGTH = sizeof word - 1 };
    const char *at = paren + 1;
    while (is_word(*at)) /* place is none */
        at++;
    if (at - paren <= LENGTH || memcmp(at - LENGTH, word, LENGTH) != 0 || *at != ' ')
        return NULL;
    const char *number = ++at;
    while (is_digit(*at))
        at++;
    return at > number && at[0] == ')' && at[1] == '[' && at + 2 < place ? number : NULL;
}

char *frame_name(void *context, nytp_str raw, size_t *length)
{
    (void)context;
    char *name = room_for(raw.length), *to = name;
    for (size_t i = 0; i < raw.length; i++)
        to = put_byte(to, raw.bytes[i]);
    *length = (size_t)(to - name);
    return name;
}

/* Perl names evals' files (eval 93)[/foo/bar.pl:42] and (re_eval 7)[...]; within one another too. */
char *frame_name_merging_evals(void *context, nytp_str raw, size_t *length)
{
    (void)context;
    char *name = room_for(raw.length), *to = name;
    const char *at = raw.bytes, *end = raw.bytes + raw.length, *place = last_place(at, end);
    while (at < end) {
        const char *number = *at == '(' && place != NULL && at < place ? eval_number(at, place) : NULL;
        if (number == NULL) {
            to = put_byte(to, *at++);
            continue;
        }
        while (at < number)
            to = put_byte(to, *at++);
        *to++ = '0';
        while (is_digit(*at))
            at++;
    }
    *length = (size_t)(to - name);
    return name;
}
