#include "model/display.h"

#include "base/shown.h"
#include "base/str.h"

#include <string.h>

bool nytp_name_is_utf8(nytp_str name)
{
    if (name.length == 0) /* bytes may be NULL */
        return true;
    for (const char *at = name.bytes, *end = at + name.length; at < end; at++) /* past a NUL */
        if (!g_utf8_validate_len(at, (gsize)(end - at), &at) && *at != '\0')
            return false;
    return true;
}

/* Leaves out the blanks at the end, as in "try {...} ", unless there is nothing else. */
static nytp_str without_last_blanks(nytp_str name)
{
    size_t length = name.length;
    while (length > 0 && name.bytes[length - 1] == ' ')
        length--;
    name.length = length > 0 ? length : name.length;
    return name;
}

/* Returns valid UTF-8 unchanged, and converts other bytes from Latin-1, which they are to perl. */
static GString *as_utf8(nytp_str s)
{
    GString *out = g_string_sized_new(s.length + 1);
    if (nytp_name_is_utf8(s))
        return g_string_append_len(out, s.bytes, (gssize)s.length);
    for (size_t i = 0; i < s.length; i++)
        g_string_append_unichar(out, (unsigned char)s.bytes[i]);
    return out;
}

char *nytp_text_utf8(nytp_str text, size_t *length)
{
    GString *out;
    if (text.utf8 && !nytp_name_is_utf8(text)) {
        char *valid = g_utf8_make_valid(text.bytes, (gssize)text.length);
        *length = strlen(valid);
        return valid;
    }
    out = as_utf8(text);
    *length = out->len;
    return g_string_free(out, FALSE);
}

char *nytp_name_utf8(nytp_str name, size_t *length)
{
    return nytp_text_utf8(without_last_blanks(name), length);
}

const char *nytp_name_not_in_xml(const char *at, const char *end)
{
    if (end - at < NYTP_NOT_IN_XML || at[0] != '\xEF' || at[1] != '\xBF')
        return NULL;
    return at[2] == '\xBE' ? "\\x{fffe}" : at[2] == '\xBF' ? "\\x{ffff}" : NULL;
}

/* Appends the character at `at` as it is shown in a line, or as a name. Returns the address of the next. */
static const char *append_character(GString *out, const char *at, const GString *in, bool is_name)
{
    const char *end = in->str + in->len, *not_in_xml = nytp_name_not_in_xml(at, end);
    char escape[NYTP_ESCAPE_ROOM];
    size_t length = nytp_shown_next(at, end, escape);
    bool is_blank_at_end = is_name && *at == ' ' && (at == in->str || at + 1 == end);
    if (is_blank_at_end)
        nytp_shown_escape(escape, ' ');
    if (not_in_xml != NULL)
        g_string_append(out, not_in_xml);
    else if (escape[0] != '\0')
        g_string_append(out, escape);
    else
        g_string_append_len(out, at, (gssize)length);
    return at + length;
}

static char *clean(nytp_str text, bool is_name)
{
    g_autoptr(GString) in = as_utf8(is_name ? without_last_blanks(text) : text);
    GString *out = g_string_sized_new(in->len + 1);
    const char *end = in->str + in->len;
    for (const char *at = in->str; at < end;) {
        /* The first and the last character may be blanks of a name. */
        const size_t plain = at > in->str ? nytp_shown_plain(at, end - 1) : 0;
        g_string_append_len(out, at, (gssize)plain);
        at = plain > 0 ? at + plain : append_character(out, at, in, is_name);
    }
    return g_string_free(out, FALSE);
}

char *nytp_name_clean(nytp_str name)
{
    return clean(name, true);
}

char *nytp_line_clean(const char *line)
{
    return clean(nytp_str_of(line), false);
}

char *nytp_name_reserve(GHashTable *taken, char *name)
{
    char *unique = g_strdup(name);
    for (unsigned n = 2; g_hash_table_contains(taken, unique); n++) {
        g_free(unique);
        unique = g_strdup_printf("%s (%u)", name, n);
    }
    g_free(name);
    g_hash_table_add(taken, unique);
    return unique;
}
