/* Messages of protocol buffers (the proto3 wire format): numbers as varints, and fields of bytes.
 *
 * A message is built in place, in a buffer that goes to a stream when no message is open:
 *
 *     size_t line = nytp_proto_begin(p, 4);
 *     nytp_proto_number(p, 1, function);
 *     nytp_proto_end(p, line);
 *
 * A length comes before its contents. One byte is left for it, which is enough for 127 bytes; the contents of
 * a longer message move when it ends.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct nytp_proto {
    FILE *out;
    uint8_t *bytes;
    size_t length, capacity;
    unsigned open; /* messages that have begun and not ended */
} nytp_proto;

void nytp_proto_init(nytp_proto *p, FILE *out);

/* Writes what is in the buffer and frees it. Errors stick to out. */
void nytp_proto_finish(nytp_proto *p);

/* A field with a message, or with packed numbers. Begin returns what end takes. */
size_t nytp_proto_begin(nytp_proto *p, unsigned field);
void nytp_proto_end(nytp_proto *p, size_t begin);

/* A field with a number; int64 is the two's complement. 0 is the default and is left out. */
void nytp_proto_number(nytp_proto *p, unsigned field, uint64_t value);

/* Like nytp_proto_number(), but a 0 is written, too. */
void nytp_proto_number_always(nytp_proto *p, unsigned field, uint64_t value);

/* One number of a packed field. */
void nytp_proto_packed(nytp_proto *p, uint64_t value);

/* A field with a string; also if it is empty. */
void nytp_proto_bytes(nytp_proto *p, unsigned field, const void *bytes, size_t size);
