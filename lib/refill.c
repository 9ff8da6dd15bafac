/* The bytes that a reader has at hand: in a buffer of its own, or where its source lends them. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* What is left moves to the place before bytes, which so many bytes follow. */
static void move_left(nytp_reader *r, unsigned char *bytes, size_t size)
{
    size_t left = (size_t)(r->end - r->at);
    memmove(bytes - left, r->at, left);
    memset(bytes + size, 0, NYTP_PAD);
    r->base_offset += (uint64_t)(r->at - r->base);
    r->base = r->at = bytes - left;
    r->end = bytes + size;
}

/* Makes room behind end in the buffer: moves what is left to its front, or grows when that is most of it.
 * False: r->ended says why it could not. */
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
    while (left > room / 2) /* a source may lend more than the buffer has */
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

/* Bytes that the source can lend are decoded where they lie, as long as little is left to be moved before
 * them. */
bool nytp_reader_refill(nytp_reader *r)
{
    bool lent = r->source->lend != NULL && r->end - r->at <= NYTP_LENT_BEFORE;
    if (!make_room(r))
        return false;
    unsigned char *bytes = r->buffer + (r->end - r->buffer);
    ptrdiff_t n = lent ? r->source->lend(r->source, &bytes, &r->error)
                       : r->source->read(r->source, bytes, r->room - (size_t)(bytes - r->buffer), &r->error);
    if (n < 0) {
        r->error.offset = nytp_reader_offset_of(r, r->end);
        r->ended = (int)n;
    } else if (lent && n > 0) {
        move_left(r, bytes, (size_t)n);
    } else {
        memset(bytes + n, 0, NYTP_PAD);
        r->end = bytes + n;
    }
    return n > 0;
}
