#include "frame.h"

#include "model/names.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

/* A name that is being written. */
typedef struct frame {
    char *name, *to;
    bool latin1; /* the raw name is Latin-1 and becomes UTF-8 */
} frame;

static frame frame_begin(nytp_str raw)
{
    enum { LONGEST = 4 }; /* bytes that one byte becomes */
    /* g_malloc() has been malloc() since GLib 2.46. The tree calls free(). */
    char *name = g_malloc(LONGEST * raw.length + 1);
    return (frame){name, name, !nytp_name_is_utf8(raw)};
}

static char *frame_end(const frame *f, size_t *length)
{
    *length = (size_t)(f->to - f->name);
    return f->name;
}

static const char *shown_instead(char byte)
{
    switch (byte) {
    case ';':
    case ' ':
    case '\t': return "?";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\0': return "\\0";
    default: return NULL;
    }
}

/* Writes the character at `at`, or one byte of it. Returns the address of the next. */
static const char *put(frame *f, const char *at, const char *end)
{
    unsigned char code = (unsigned char)*at;
    const char *instead = shown_instead(*at), *no_xml = f->latin1 ? NULL : nytp_name_not_in_xml(at, end);
    if (no_xml != NULL) {
        f->to = stpcpy(f->to, no_xml);
        return at + NYTP_NOT_IN_XML;
    }
    if (instead != NULL) {
        f->to = stpcpy(f->to, instead);
    } else if (code < ' ') {
        f->to += sprintf(f->to, "\\x%02x", code);
    } else if (code >= 0x80 && f->latin1) {
        *f->to++ = (char)(0xC0 | code >> 6);
        *f->to++ = (char)(0x80 | (code & 0x3F));
    } else {
        *f->to++ = *at;
    }
    return at + 1;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Returns the last ":LINE]", which ends the name of an eval's file, or NULL. */
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

/* Returns the N of "(eval N)[" at paren, if a file name follows and ends at place; otherwise NULL. */
static const char *eval_number(const char *paren, const char *place)
{
    static const char word[] = "eval";
    enum { LENGTH = sizeof word - 1 };
    const char *at = paren + 1;
    while (is_word(*at)) /* ends at place at the latest: ":" is not a word character */
        at++;
    if (at - paren <= LENGTH || memcmp(at - LENGTH, word, LENGTH) != 0 || *at != ' ')
        return NULL;
    const char *number = ++at;
    while (is_digit(*at))
        at++;
    return at > number && at[0] == ')' && at[1] == '[' && at + 2 < place ? number : NULL;
}

char *calls_frame_name(void *context, nytp_str raw, size_t *length)
{
    (void)context;
    frame f = frame_begin(raw);
    const char *at = raw.bytes, *end = at + raw.length;
    while (at < end)
        at = put(&f, at, end);
    return frame_end(&f, length);
}

/* Perl names the files of evals "(eval 93)[/foo/bar.pl:42]" and "(re_eval 7)[...]". They can be nested. */
char *calls_frame_name_merging_evals(void *context, nytp_str raw, size_t *length)
{
    (void)context;
    frame f = frame_begin(raw);
    const char *at = raw.bytes, *end = raw.bytes + raw.length, *place = last_place(at, end);
    while (at < end) {
        const char *number = *at == '(' && place != NULL && at < place ? eval_number(at, place) : NULL;
        if (number == NULL) {
            at = put(&f, at, end);
            continue;
        }
        while (at < number)
            at = put(&f, at, end);
        *f.to++ = '0';
        while (is_digit(*at))
            at++;
    }
    return frame_end(&f, length);
}
