/* Inflating on several threads. */
#ifndef NYTP_BYTES_INFLATE_MT_H
#define NYTP_BYTES_INFLATE_MT_H

#include "bytes/inflate.h"

/* As nytp_inflate_new(), on up to `threads` threads, the caller's among them, and at most 4, if the stream is
 * made of segments (see bytes/deflate.h). Any other stream is read as by nytp_inflate_new() and
 * nytp_readahead_new(). If a stream was cut, the libraries may yield a few bytes more or less. inner must
 * fail again once it has failed, and must not wait for input, as a pipe does. Takes ownership of inner,
 * except when it returns NULL (out of memory or threads). */
nytp_source *nytp_inflate_mt_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                                 enum nytp_inflate_with with, unsigned threads);

#endif
