#include "frame.h"

#include "model/display.h"
#include "model/eval_name.h"

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
    enum { LONGEST = 4 }; /* the most bytes that one byte becomes */
    /* g_malloc() has been malloc() since GLib 2.46. The tree calls free(). */
    char *name = g_malloc(LONGEST * raw.length + 1);
    return (frame){name, name, !nytp_name_is_utf8(raw)};
}

static char *frame_end(const frame *f, size_t *length)
{
    *length = (size_t)(f->to - f->name);
    return f->name;
}

/* Returns whether the name ends with a number that starts at `at`. flamegraph.pl reads a number after a blank
 * at the end of a stack as a second value. */
static bool is_last_number(const char *at, const char *end)
{
    const char *digit = at;
    while (digit < end && ((*digit >= '0' && *digit <= '9') || *digit == '.'))
        digit++;
    return digit > at && digit == end;
}

static const char *replacement(const char *at, const char *end)
{
    switch (*at) {
    case ';': return "?";
    case ' ':
    case '\t': return is_last_number(at + 1, end) ? "?" : NULL;
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
    const char *instead = replacement(at, end), *no_xml = f->latin1 ? NULL : nytp_name_not_in_xml(at, end);
    if (no_xml != NULL) {
        f->to = stpcpy(f->to, no_xml);
        return at + NYTP_NOT_IN_XML;
    }
    if (instead != NULL) {
        f->to = stpcpy(f->to, instead);
    } else if (code < ' ' && code != '\t') {
        f->to += sprintf(f->to, "\\x%02x", code);
    } else if (code >= 0x80 && f->latin1) {
        *f->to++ = (char)(0xC0 | code >> 6);
        *f->to++ = (char)(0x80 | (code & 0x3F));
    } else {
        *f->to++ = *at;
    }
    return at + 1;
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

char *calls_frame_name_merging_evals(void *context, nytp_str raw, size_t *length)
{
    nytp_str merged = {.utf8 = raw.utf8};
    char *bytes = nytp_eval_name_merge(raw, &merged.length);
    merged.bytes = bytes;
    char *name = calls_frame_name(context, merged, length);
    g_free(bytes);
    return name;
}
