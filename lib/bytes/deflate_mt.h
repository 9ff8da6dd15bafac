/* Compressing on several threads, block by block, into the same kind of stream as bytes/deflate.h. */
#pragma once

#include "bytes/deflate.h"

/* Like nytp_deflate, on `threads` threads, each of which compresses blocks of 512 KiB. new() returns NULL
 * when out of memory, or if no thread can be started. write() and finish() return 0, or a negative
 * nytp_status with err filled; only free() may follow an error. */
typedef struct nytp_deflate_mt nytp_deflate_mt;
nytp_deflate_mt *nytp_deflate_mt_new(nytp_sink *inner, int level, enum nytp_deflate_with with,
                                     unsigned threads);
int nytp_deflate_mt_write(nytp_deflate_mt *deflate, const void *data, size_t size, nytp_error *err);
int nytp_deflate_mt_finish(nytp_deflate_mt *deflate, nytp_error *err);
void nytp_deflate_mt_totals(const nytp_deflate_mt *deflate, uint64_t *in_bytes, uint64_t *out_bytes);
void nytp_deflate_mt_free(nytp_deflate_mt *deflate); /* NULL is fine */
