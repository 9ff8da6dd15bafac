/* Raw deflate of one stream after the other, on several threads: streams are cut into pieces, which are
 * compressed independently. The compressed bytes do not depend on how many threads there are. */
#pragma once

#include "bytes/deflate.h"

/* A piece of a stream, compressed. */
typedef struct nytp_deflated {
    const unsigned char *bytes;
    size_t size, in_size;
    uint32_t adler; /* of its input alone (bytes/adler.h) */
    bool ends;      /* the stream ends with it */
} nytp_deflated;

typedef struct nytp_raw_deflate_mt_options {
    int level; /* 1 to 9, as in zlib */
    enum nytp_deflate_with with;
    size_t piece_bytes;
    unsigned threads; /* beside that of the caller; fewer if the system refuses them */
    /* Gets the pieces in order, on the caller's thread. */
    void (*deflated)(void *context, const nytp_deflated *piece);
    void *context;
} nytp_raw_deflate_mt_options;

/* Functions that return int return 0 or NYTP_ERR_MEMORY; only free() may follow an error. */
typedef struct nytp_raw_deflate_mt nytp_raw_deflate_mt;

/* Returns NULL when out of memory. */
nytp_raw_deflate_mt *nytp_raw_deflate_mt_new(const nytp_raw_deflate_mt_options *options);
void nytp_raw_deflate_mt_free(nytp_raw_deflate_mt *deflate); /* NULL is fine; drops what was not passed on */

unsigned nytp_raw_deflate_mt_threads(const nytp_raw_deflate_mt *deflate); /* how many were started */

int nytp_raw_deflate_mt_write(nytp_raw_deflate_mt *deflate, const void *data, size_t size);

/* Ends the piece that was begun. Does nothing if none was. */
void nytp_raw_deflate_mt_cut(nytp_raw_deflate_mt *deflate);

/* Ends the stream. */
int nytp_raw_deflate_mt_end(nytp_raw_deflate_mt *deflate);

/* Waits for the oldest piece that was not passed on, and passes it on. *any is false if there is none. */
int nytp_raw_deflate_mt_collect(nytp_raw_deflate_mt *deflate, bool *any);
