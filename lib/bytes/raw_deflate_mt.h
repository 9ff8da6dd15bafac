/* Raw deflate of one stream after the other, on several threads: streams are cut into pieces of 256 KiB,
 * which are compressed independently. The compressed bytes do not depend on how many threads there are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Functions that return int return 0 or NYTP_ERR_MEMORY; only free() may follow an error. */
typedef struct nytp_raw_deflate_mt nytp_raw_deflate_mt;

/* Gets the compressed bytes in order, on the caller's thread. ends: the stream ends with them. */
typedef void nytp_deflated_fn(void *context, const void *data, size_t size, bool ends);

/* level is 1 to 9, as in zlib. Returns NULL when out of memory. */
nytp_raw_deflate_mt *nytp_raw_deflate_mt_new(int level, nytp_deflated_fn *deflated, void *context);
void nytp_raw_deflate_mt_free(nytp_raw_deflate_mt *deflate); /* NULL is fine; drops what was not passed on */

int nytp_raw_deflate_mt_write(nytp_raw_deflate_mt *deflate, const void *data, size_t size);
int nytp_raw_deflate_mt_end(nytp_raw_deflate_mt *deflate); /* of a stream */

/* Waits for the oldest piece that was not passed on, and passes it on. *any is false if there is none. */
int nytp_raw_deflate_mt_collect(nytp_raw_deflate_mt *deflate, bool *any);
