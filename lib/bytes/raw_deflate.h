/* Raw deflate (RFC 1951), as in web pages and archives: no header, no check. */
#pragma once

#include "nytprof.h"

/* Functions that return int return 0, or what write returned when it failed first; write is not called again
 * after that. */
typedef struct nytp_raw_deflate nytp_raw_deflate;

/* level is 1 to 9, as in zlib. write gets the compressed bytes. Returns NULL when out of memory. */
nytp_raw_deflate *nytp_raw_deflate_new(int level, nytp_write_fn *write, void *context);
int nytp_raw_deflate_write(nytp_raw_deflate *deflate, const void *data, size_t size);

/* Ends the stream; what is written afterwards begins another one. */
int nytp_raw_deflate_finish(nytp_raw_deflate *deflate);

/* Ends a piece of the stream, to which nothing that is written afterwards refers. So pieces that were
 * deflated on several threads make one stream, if the last one is ended with nytp_raw_deflate_finish(). */
int nytp_raw_deflate_cut(nytp_raw_deflate *deflate);
void nytp_raw_deflate_free(nytp_raw_deflate *deflate); /* NULL is fine */
