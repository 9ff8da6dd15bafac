#include "collapse.h"

#include "base/shown.h"
#include "model/display.h"
#include "model/eval_name.h"

#include <glib.h>
#include <string.h>

/* A name that is being written. */
typedef struct frame {
    char *to;
    bool latin1; /* the raw name is Latin-1 and becomes UTF-8 */
} frame;

/* Returns whether the name ends with a number that starts at `at`. flamegraph.pl reads a number after a blank
 * at the end of a stack as a second value. */
static bool is_last_number(const char *at, const char *end)
{
    const char *digit = at;
    while (digit < end && ((*digit >= '0' && *digit <= '9') || *digit == '.'))
        digit++;
    return digit > at && digit == end;
}

/* Returns whether flamegraph.pl would end the name here. */
static bool separates(const char *at, const char *end)
{
    return *at == ';' || ((*at == ' ' || *at == '\t') && is_last_number(at + 1, end));
}

/* Writes the character at `at`. Returns the address of the next. */
static const char *put(frame *f, const char *at, const char *end)
{
    uint32_t character = (unsigned char)*at;
    size_t length = f->latin1 ? 1 : nytp_utf8_read(at, end, &character);
    const char *not_in_xml = f->latin1 ? NULL : nytp_name_not_in_xml(at, end);
    if (not_in_xml != NULL) {
        f->to = stpcpy(f->to, not_in_xml);
    } else if (separates(at, end)) {
        *f->to++ = '?';
    } else if (nytp_is_shown_escaped(character) && character != '\t') {
        f->to += nytp_shown_escape(f->to, character);
    } else if (character >= 0x80 && f->latin1) {
        *f->to++ = (char)(0xC0 | character >> 6);
        *f->to++ = (char)(0x80 | (character & 0x3F));
    } else {
        f->to = mempcpy(f->to, at, length);
    }
    return at + length;
}

char *calls_frame_name(void *context, nytp_str raw, size_t *length)
{
    (void)context;
    enum { LONGEST = 4 }; /* the most bytes that one byte becomes */
    /* g_malloc() has been malloc() since GLib 2.46. The tree calls free(). */
    char *name = g_malloc(LONGEST * raw.length + 1);
    frame f = {name, !nytp_name_is_utf8(raw)};
    const char *at = raw.bytes, *end = at + raw.length;
    while (at < end)
        at = put(&f, at, end);
    *length = (size_t)(f.to - name);
    return name;
}

char *calls_frame_name_merging_evals(void *context, nytp_str raw, size_t *length)
{
    nytp_str merged = {.utf8 = raw.utf8};
    g_autofree char *bytes = nytp_eval_name_merge(raw, &merged.length);
    merged.bytes = bytes;
    return calls_frame_name(context, merged, length);
}
