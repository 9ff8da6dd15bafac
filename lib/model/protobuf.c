#include "model/protobuf.h"

enum { VARINT = 0, BYTES = 2, VARINT_MAX = 10 };

static size_t put_varint(guint8 *to, uint64_t value)
{
    size_t size = 0;
    for (; value >= 0x80; value >>= 7)
        to[size++] = (guint8)(value | 0x80);
    to[size++] = (guint8)value;
    return size;
}

void nytp_proto_packed(GByteArray *numbers, uint64_t value)
{
    guint8 bytes[VARINT_MAX];
    g_byte_array_append(numbers, bytes, (guint)put_varint(bytes, value));
}

/* A key and a number in one piece: appending has its price, and a trace has some ten numbers for each call.
 */
static void put_pair(GByteArray *message, unsigned field, unsigned type, uint64_t value)
{
    guint8 bytes[2 * VARINT_MAX];
    size_t size = put_varint(bytes, field << 3 | type);
    size += put_varint(bytes + size, value);
    g_byte_array_append(message, bytes, (guint)size);
}

void nytp_proto_number(GByteArray *message, unsigned field, uint64_t value)
{
    if (value != 0)
        nytp_proto_number_always(message, field, value);
}

void nytp_proto_number_always(GByteArray *message, unsigned field, uint64_t value)
{
    put_pair(message, field, VARINT, value);
}

void nytp_proto_bytes(GByteArray *message, unsigned field, const void *bytes, size_t size)
{
    put_pair(message, field, BYTES, size);
    if (size > 0)
        g_byte_array_append(message, bytes, (guint)size);
}

void nytp_proto_message(GByteArray *message, unsigned field, const GByteArray *inner)
{
    nytp_proto_bytes(message, field, inner->data, inner->len);
}

void nytp_proto_write(FILE *out, unsigned field, const GByteArray *message)
{
    guint8 head[2 * VARINT_MAX];
    size_t size = put_varint(head, field << 3 | BYTES);
    size += put_varint(head + size, message->len);
    fwrite_unlocked(head, 1, size, out);
    fwrite_unlocked(message->data, 1, message->len, out);
}
