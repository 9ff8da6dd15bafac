/* Inflating on several threads. */
#pragma once

#include "bytes/inflate.h"

/* Like nytp_inflate_new(), but inflates on up to `threads` threads, at most 4, if the stream is made of
 * segments (see bytes/deflate.h). The caller's thread is one of them. Any other stream is inflated and read
 * ahead on one thread. If a stream was cut, the last few bytes may depend on the library.
 *
 * inner must fail again once it has failed, and must not wait for input, as a pipe does. Returns NULL if
 * memory or threads are lacking, or if this is not the header of a zlib stream; inner then stays the
 * caller's. Otherwise takes ownership of inner. */
nytp_source *nytp_inflate_mt_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                                 enum nytp_inflate_with with, unsigned threads);
