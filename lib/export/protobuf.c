#include "export/protobuf.h"

#include "model/grow.h"

#include <string.h>

enum { VARINT = 0, BYTES = 2 };                      /* wire types */
enum { VARINT_MAX = 10, PAIR_MAX = 2 * VARINT_MAX }; /* bytes of a number, and of a key and a number */
enum { FULL = 1 << 15, CAPACITY = FULL + (1 << 12) };

void nytp_proto_init(nytp_proto *p, FILE *out)
{
    *p = (nytp_proto){.out = out, .bytes = g_malloc(CAPACITY), .capacity = CAPACITY};
}

static void flush(nytp_proto *p)
{
    fwrite_unlocked(p->bytes, 1, p->length, p->out);
    p->length = 0;
}

void nytp_proto_finish(nytp_proto *p)
{
    flush(p);
    g_free(p->bytes);
    *p = (nytp_proto){0};
}

/* Returns where size more bytes fit. */
static inline uint8_t *reserve(nytp_proto *p, size_t size)
{
    if (p->capacity - p->length < size)
        p->bytes = nytp_grown(p->bytes, &p->capacity, p->length + size, 1);
    return p->bytes + p->length;
}

static inline void settle(nytp_proto *p)
{
    if (p->open == 0 && p->length >= FULL)
        flush(p);
}

/* Returns the byte after it. */
static inline uint8_t *put_varint(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

static inline void put_pair(nytp_proto *p, unsigned field, unsigned type, uint64_t value)
{
    uint8_t *to = reserve(p, PAIR_MAX);
    p->length = (size_t)(put_varint(put_varint(to, field << 3 | type), value) - p->bytes);
}

size_t nytp_proto_begin(nytp_proto *p, unsigned field)
{
    put_pair(p, field, BYTES, 0);
    p->open++;
    return p->length;
}

static void write_length(nytp_proto *p, size_t begin, size_t length)
{
    uint8_t varint[VARINT_MAX];
    size_t more = (size_t)(put_varint(varint, length) - varint) - 1;
    reserve(p, more);
    memmove(p->bytes + begin + more, p->bytes + begin, length);
    memcpy(p->bytes + begin - 1, varint, more + 1);
    p->length += more;
}

void nytp_proto_end(nytp_proto *p, size_t begin)
{
    size_t length = p->length - begin;
    if (length < 0x80)
        p->bytes[begin - 1] = (uint8_t)length;
    else
        write_length(p, begin, length);
    p->open--;
    settle(p);
}

void nytp_proto_number(nytp_proto *p, unsigned field, uint64_t value)
{
    if (value != 0)
        nytp_proto_number_always(p, field, value);
}

void nytp_proto_number_always(nytp_proto *p, unsigned field, uint64_t value)
{
    put_pair(p, field, VARINT, value);
}

void nytp_proto_packed(nytp_proto *p, uint64_t value)
{
    p->length = (size_t)(put_varint(reserve(p, VARINT_MAX), value) - p->bytes);
}

void nytp_proto_bytes(nytp_proto *p, unsigned field, const void *bytes, size_t size)
{
    put_pair(p, field, BYTES, size);
    if (size > 0)
        memcpy(reserve(p, size), bytes, size);
    p->length += size;
    settle(p);
}
