/* Deflating and inflating with zlib. */
#pragma once

#include "bytes/codec.h"

extern const nytp_deflater nytp_zlib_deflater;
extern const nytp_inflater nytp_zlib_inflater;

/* Sets the data that a raw stream of nytp_zlib_inflater may refer to. Call it before its first step. */
void nytp_zlib_set_history(void *state, const void *bytes, size_t size);
