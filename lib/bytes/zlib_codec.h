/* Deflating and inflating by zlib. */
#ifndef NYTP_BYTES_ZLIB_CODEC_H
#define NYTP_BYTES_ZLIB_CODEC_H

#include "bytes/codec.h"

extern const nytp_deflater nytp_zlib_deflater;
extern const nytp_inflater nytp_zlib_inflater;

/* Gives a raw stream of nytp_zlib_inflater, before its first step, the data that it may refer to. */
void nytp_zlib_set_history(void *state, const void *bytes, size_t size);

#endif
