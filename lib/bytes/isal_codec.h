/* Deflating, inflating and checksums with isa-l, which is faster than zlib. NULL in a build without it. */
#pragma once

#include "bytes/codec.h"

extern const nytp_deflater *const nytp_isal_deflater; /* has levels 1 and 2 */
extern const nytp_inflater *const nytp_isal_inflater;
extern uint32_t (*const nytp_isal_adler)(uint32_t sum, const unsigned char *data, uint64_t size);
