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

char *frame_name(void *context, nytp_str raw, size_t *length)
{
    (void)context;
    char *name = room_for(raw.length), *to = name;
    for (size_t i = 0; i < raw.length; i++)
        to = put_byte(to, raw.bytes[i]);
    *length = (size_t)(to - name);
    return name;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether ":LINE]" follows somewhere: "(eval 7)[" alone does not name an eval's file. */
static bool has_place(const char *at, const char *end)
{
    for (; (at = memchr(at, ':', (size_t)(end - at))) != NULL; at++) {
        const char *digit = at + 1;
        while (digit < end && is_digit(*digit))
            digit++;
        if (digit > at + 1 && digit < end && *digit == ']')
            return true;
    }
    return false;
}

/* Behind the number of "eval N)[" at at, if the invoker's file and line follow; else NULL. */
static const char *after_eval_number(const char *at, const char *end)
{
    static const char word[] = "eval ";
    size_t word_length = sizeof word - 1;
    if ((size_t)(end - at) <= word_length || memcmp(at, word, word_length) != 0)
        return NULL;
    const char *number = at + word_length, *after = number;
    while (after < end && is_digit(*after))
        after++;
    if (after == number || end - after < 2 || after[0] != ')' || after[1] != '[' || !has_place(after, end))
        return NULL;
    return after;
}

/* The names of perl's eval files: (eval 93)[/foo/bar.pl:42] and (re_eval 7)[...], nested too. */
char *frame_name_merging_evals(void *context, nytp_str raw, size_t *length)
{
    char *plain = room_for(raw.length), *to = plain;
    const char *at = raw.bytes, *end = raw.bytes + raw.length;
    while (at < end) {
        bool begins = at > raw.bytes && (at[-1] == '(' || at[-1] == '_');
        const char *after = *at == 'e' && begins ? after_eval_number(at, end) : NULL;
        if (after != NULL) {
            to = stpcpy(to, "eval 0");
            at = after;
        } else {
            *to++ = *at++;
        }
    }
    char *name = frame_name(context, (nytp_str){plain, (size_t)(to - plain), raw.utf8}, length);
    free(plain);
    return name;
}
