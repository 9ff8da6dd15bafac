/* Messages of protocol buffers (the proto3 wire format): numbers as varints, and fields of bytes.
 *
 * A length comes before its contents, so a message is built in a GByteArray and then written or appended to
 * its parent. Zeros are the default and are left out.
 */
#ifndef NYTP_MODEL_PROTOBUF_H
#define NYTP_MODEL_PROTOBUF_H

#include "nytprof.h"

#include <glib.h>

/* A field with a number; int64 is the two's complement. */
void nytp_proto_number(GByteArray *message, unsigned field, uint64_t value);

/* The same, written even if it is 0. */
void nytp_proto_number_always(GByteArray *message, unsigned field, uint64_t value);

/* A field with bytes: a string, packed numbers or a message; also if it is empty. */
void nytp_proto_bytes(GByteArray *message, unsigned field, const void *bytes, size_t size);
void nytp_proto_message(GByteArray *message, unsigned field, const GByteArray *inner);

/* One number of a packed field. */
void nytp_proto_packed(GByteArray *numbers, uint64_t value);

/* Writes a field with a message to out. Errors stick to out. */
void nytp_proto_write(FILE *out, unsigned field, const GByteArray *message);

#endif
