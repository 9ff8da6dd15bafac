#include "labels/labeltext.h"

#include "base/hash.h"
#include "base/shown.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_blank(uint32_t code)
{
    return code <= ' ' || (code >= 0x7F && code <= 0xA0) || code == 0x2028 || code == 0x2029;
}

/* Whether "<" before this character could begin a tag. */
static bool begins_tag(unsigned char c)
{
    return (unsigned)((c | 0x20) - 'a') < 26 || c == '/' || c == '!' || c == '?';
}

/* Whether two characters beside each other could become script in pages that do not escape them:
 * flamegraph.pl writes names into strings of JavaScript, with a backslash before each quote but none before a
 * backslash. */
static bool are_unsafe(char last, unsigned char next)
{
    return (last == '<' && begins_tag(next)) || (last == '\\' && next == '\'');
}

typedef struct cleaning {
    char *to;
    size_t length;
    bool blank; /* one is due before the next character */
} cleaning;

/* Whether a character stays as it is, and the next one does not depend on it. */
static bool is_plain(unsigned char c)
{
    return c > ' ' && c < 0x7F && c != ':' && c != ';' && c != '<' && c != '\\';
}

/* Returns how many characters follow that are copied at once. */
static size_t plain_run(const unsigned char *at, const unsigned char *end)
{
    size_t length = 0;
    while (at + length < end && is_plain(at[length]))
        length++;
    return length;
}

static void put(cleaning *c, const void *bytes, size_t length)
{
    const unsigned char first = *(const unsigned char *)bytes;
    const char last = (char)(c->length > 0 ? c->to[c->length - 1] : ' ');
    if ((c->blank && c->length > 0) || are_unsafe(last, first))
        c->to[c->length++] = ' ';
    else if (first == ':' && last == ':')
        return;
    memcpy(c->to + c->length, first == ';' ? "," : bytes, length);
    c->length += length;
    c->blank = false;
}

bool prof_text_is_utf8(const char *text, size_t length)
{
    const char *at = text, *end = text + (length < PROF_LABEL_RAW_MAX ? length : PROF_LABEL_RAW_MAX);
    while (at < end) {
        uint32_t code;
        const size_t used = nytp_utf8_read(at, end, &code);
        if (used == 0)
            return length > PROF_LABEL_RAW_MAX && end - at < 4;
        at += used;
    }
    return true;
}

size_t prof_label_clean(const char *from, size_t length, bool utf8, char *to)
{
    const unsigned char *at = (const unsigned char *)from;
    const unsigned char *end = at + (length < PROF_LABEL_RAW_MAX ? length : PROF_LABEL_RAW_MAX);
    cleaning c = {.to = to};
    while (at < end && c.length < PROF_LABEL_CLEAN_MAX - 8) {
        const size_t run = plain_run(at, end);
        if (run > 0) {
            put(&c, at, run);
            at += run;
            continue;
        }
        uint32_t code = *at;
        const size_t used = utf8 ? nytp_utf8_read((const char *)at, (const char *)end, &code) : 1;
        const unsigned char latin[2] = {(unsigned char)(0xC0 | code >> 6),
                                        (unsigned char)(0x80 | (code & 0x3F))};
        if (used == 0)
            put(&c, "?", 1);
        else if (is_blank(code))
            c.blank = true;
        else if (!utf8 && code >= 0x80)
            put(&c, latin, 2);
        else
            put(&c, at, used);
        at += used > 0 ? used : 1;
    }
    return c.length;
}

/* The largest length up to `most` at which no character is cut. */
static size_t whole_characters(const char *text, size_t length, size_t most)
{
    if (length <= most)
        return length;
    while (most > 0 && ((unsigned char)text[most] & 0xC0) == 0x80)
        most--;
    return most;
}

/* Returns where " FROM " of a SELECT begins; NULL if there is none outside of parentheses. */
static const char *find_from(const char *text, size_t length)
{
    int depth = 0;
    if (length < 7 || strncasecmp(text, "SELECT ", 7) != 0)
        return NULL;
    for (const char *at = text + 6; at + 6 <= text + length; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0 && strncasecmp(at, " FROM ", 6) == 0)
            return at;
    }
    return NULL;
}

static size_t append(prof_label *label, const char *bytes, size_t length)
{
    memcpy(label->bytes + label->length, bytes, length);
    return label->length += length;
}

static uint64_t fixed_mix(uint64_t hash, const char *a, const char *b)
{
    uint64_t x = (hash ^ nytp_load64(a)) * UINT64_C(0x9E3779B97F4A7C15) +
                 nytp_load64(b) * UINT64_C(0xC2B2AE3D27D4EB4F);
    x = (x ^ x >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return x ^ x >> 32;
}

/* The hash of a text that is too long for a label, so of 16 bytes or more. Profiles have it, so it must be
 * the same in all processes and versions. */
static uint32_t fixed_hash(const char *text, size_t length)
{
    uint64_t h = length;
    for (size_t i = 0; i + 16 < length; i += 16)
        h = fixed_mix(h, text + i, text + i + 8);
    return (uint32_t)fixed_mix(h, text + length - 16, text + length - 8);
}

void prof_label_cut(const char *clean, size_t length, size_t most, bool is_sql, prof_label *label)
{
    enum { HASH_BYTES = 10, DOTS = 3 };
    static const char no_columns[] = "SELECT ...";
    char hash[HASH_BYTES + 1];
    label->length = label->whole_length = label->hash = 0;
    label->is_cut = length > most;
    if (!label->is_cut) {
        append(label, clean, length);
        return;
    }
    label->hash = fixed_hash(clean, length);
    label->whole_length = whole_characters(clean, length, PROF_LABEL_WHOLE_MAX);
    const char *from = is_sql && most / 2 >= PROF_LABEL_LEAST ? find_from(clean, length) : NULL;
    if (from != NULL) {
        append(label, no_columns, sizeof no_columns - 1);
        length -= (size_t)(from - clean);
        clean = from;
    }
    const size_t left = most - HASH_BYTES - label->length;
    if (length <= left) {
        append(label, clean, length);
    } else {
        append(label, clean, whole_characters(clean, length, left - DOTS));
        append(label, "...", DOTS);
    }
    snprintf(hash, sizeof hash, " ~%08x", (unsigned)label->hash);
    append(label, hash, HASH_BYTES);
}
