/* Compressing into one zlib stream that is made of segments.
 *
 * No segment refers to anything before it, so segments can be inflated in parallel. Every segment but the
 * last ends with a mark: two empty blocks in a row, which other data have only by chance.
 */
#ifndef NYTP_BYTES_DEFLATE_H
#define NYTP_BYTES_DEFLATE_H

#include "nytprof.h"

/* Which library compresses at zlib's levels 2 to 6; at the others there is no choice.
 *
 *   FAST      isa-l, if it was there at build time, else zlib's level 1
 *   STRONG    zlib at that level
 */
enum nytp_deflate_with { NYTP_DEFLATE_FAST, NYTP_DEFLATE_STRONG };

/* Compresses into inner, which stays the caller's. level is zlib's, 1 to 9. NULL when out of memory. */
typedef struct nytp_deflate nytp_deflate;
nytp_deflate *nytp_deflate_new(nytp_sink *inner, int level, enum nytp_deflate_with with);
void nytp_deflate_free(nytp_deflate *deflate);

/* MORE: some output may be held back; SYNC: all input up to here can be inflated; SEGMENT: the segment ends,
 * too; END: and the stream ends. Returns 0, or a negative nytp_status with err filled; so below. */
enum nytp_deflate_flush { NYTP_DEFLATE_MORE, NYTP_DEFLATE_SYNC, NYTP_DEFLATE_SEGMENT, NYTP_DEFLATE_END };
int nytp_deflate_write(nytp_deflate *deflate, const void *data, size_t size, enum nytp_deflate_flush flush,
                       nytp_error *err);

/* remember() flushes, and notes the place in *mark. resume() goes on from there as if nothing had been
 * written since, not even the end; the caller has to take back what inner was given since. */
typedef struct nytp_deflate_mark {
    uint32_t adler;
    uint64_t in_bytes, out_bytes;
} nytp_deflate_mark;
int nytp_deflate_remember(nytp_deflate *deflate, nytp_deflate_mark *mark, nytp_error *err);
void nytp_deflate_resume(nytp_deflate *deflate, const nytp_deflate_mark *mark);

void nytp_deflate_totals(const nytp_deflate *deflate, uint64_t *in_bytes, uint64_t *out_bytes);

enum { NYTP_SEGMENT_BYTES = 1 << 20 /* of input; a segment ends with the write that reaches it */ };

/* clang-format off */
#define NYTP_SEGMENT_MARK { 0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0xFF, 0xFF }
/* clang-format on */

#endif
