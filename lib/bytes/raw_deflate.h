/* Raw deflate (RFC 1951), as in web pages and archives: no header, no check. */
#pragma once

#include "bytes/deflate.h"

typedef struct nytp_raw_deflate nytp_raw_deflate;

/* level is 1 to 9, as in zlib. write gets the compressed bytes. Returns NULL when out of memory. */
nytp_raw_deflate *nytp_raw_deflate_new(int level, enum nytp_deflate_with with, nytp_write_fn *write,
                                       void *context);

/* END ends the stream; what is written afterwards begins another one. SYNC ends a piece of it, to which
 * nothing that is written afterwards refers. So pieces that were deflated on several threads make one stream,
 * if the last one is written with END. Returns 0, or what write returned when it failed first; write is not
 * called again after that. */
int nytp_raw_deflate_write(nytp_raw_deflate *deflate, const void *data, size_t size,
                           enum nytp_deflate_flush flush);
void nytp_raw_deflate_free(nytp_raw_deflate *deflate); /* NULL is fine */
