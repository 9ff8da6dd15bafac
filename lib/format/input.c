/* The input of a reader: its buffered bytes, in a buffer of its own or where its source lends them, and how
 * reading fails. */
#include "format/input.h"

#include "base/error.h"
#include "bytes/source.h"

#include <stdlib.h>
#include <string.h>

/* ---- failing ---- */

const char *nytp_reader_stream_name(const nytp_reader *r)
{
    return r->inflating ? " of the inflated data" : "";
}

enum progress nytp_reader_fail_at(nytp_reader *r, int code, const unsigned char *where, const char *what)
{
    r->error.offset = nytp_reader_offset_of(r, where);
    r->error.tag = r->at < r->end ? *r->at : 0;
    r->ended = nytp_fail(&r->error, code, "%s: offset %llu%s: %s", r->source->name,
                         (unsigned long long)r->error.offset, nytp_reader_stream_name(r), what);
    return FAILED;
}

bool nytp_reader_may_hold(nytp_reader *r, uint64_t bytes)
{
    if (r->most_base_bytes == 0 ||
        bytes <= r->most_base_bytes + r->most_bytes_per_byte * r->source->taken_bytes)
        return true;
    nytp_reader_fail_at(r, NYTP_ERR_MEMORY, r->at, "more memory than it may take");
    return false;
}

enum progress nytp_reader_skip_line(nytp_reader *r, const char *why)
{
    if (r->warnings++ == 0)
        snprintf(r->first_warning, sizeof r->first_warning, "%s: offset %llu%s: %s", r->source->name,
                 (unsigned long long)nytp_reader_offset_of(r, r->at), nytp_reader_stream_name(r), why);
    return SKIPPED;
}

/* ---- getting bytes ---- */

/* Moves what is left to the place right before bytes, of which there are size; both are then what is at hand.
 */
static void move_left(nytp_reader *r, unsigned char *bytes, size_t size)
{
    size_t left = (size_t)(r->end - r->at);
    memmove(bytes - left, r->at, left);
    memset(bytes + size, 0, NYTP_PAD);
    r->base_offset += (uint64_t)(r->at - r->base);
    r->base = r->at = bytes - left;
    r->end = bytes + size;
}

/* Makes room in the buffer behind what is left: moves that to the front, or to a larger buffer where it fills
 * most of this one. False: r->ended says why it could not. */
static bool make_room(nytp_reader *r)
{
    enum { CHEAP_TO_MOVE = 4096 };
    size_t left = (size_t)(r->end - r->at);
    if (r->base == r->buffer && left > CHEAP_TO_MOVE && r->room - (size_t)(r->end - r->buffer) >= r->room / 4)
        return true;
    if (left <= r->room / 2) {
        move_left(r, r->buffer + left, 0);
        return true;
    }
    size_t room = r->room;
    while (left > room / 2) /* more than once: what a source lent may be larger than the buffer */
        room *= 2;
    if (!nytp_reader_may_hold(r, r->room + room))
        return false;
    unsigned char *larger = malloc(room + NYTP_PAD);
    if (larger == NULL) {
        nytp_reader_fail_at(r, NYTP_ERR_MEMORY, r->at, "out of memory");
        return false;
    }
    move_left(r, larger + left, 0);
    free(r->buffer);
    r->buffer = larger;
    r->room = room;
    return true;
}

/* Bytes that the source lends are decoded where they lie. What is left of those before has to move in front
 * of them, so there must be little of it. */
bool nytp_reader_refill(nytp_reader *r)
{
    bool lent = r->source->lend != NULL && r->end - r->at <= NYTP_LENT_BEFORE;
    if (!make_room(r)) /* what is left is in the buffer from here on: the source takes back what it lent */
        return false;
    unsigned char *const free_bytes = r->buffer + (r->end - r->buffer), *bytes = free_bytes;
    ptrdiff_t n = lent ? r->source->lend(r->source, &bytes, &r->error)
                       : r->source->read(r->source, bytes, r->room - (size_t)(bytes - r->buffer), &r->error);
    if (n < 0) {
        r->error.offset = nytp_reader_offset_of(r, r->end);
        r->ended = (int)n;
    } else if (lent && n > 0) {
        move_left(r, bytes, (size_t)n);
    } else {
        memset(free_bytes + n, 0, NYTP_PAD);
        r->end = free_bytes + n;
    }
    return n > 0;
}
