/* What the collector and nytprofmerge need of a writer beyond nytprof.h. */
#pragma once

#include "nytprof.h"

#include "bytes/deflate.h"

typedef struct nytp_relay {
    const uint32_t *fids; /* the writer's fids, indexed by those of the reader; 0: there is none */
    size_t fid_count;
    bool no_calls; /* leave out SUB_ENTRY and SUB_RETURN */
    bool discount; /* in and out: a DISCOUNT was read, and its statement has not come yet */
    int64_t ticks; /* in and out: sum of the statements that were written */
} nytp_relay;

/* Copies consecutive statements and calls that the reader has buffered to the writer, with the writer's fids
 * and each DISCOUNT right before its statement. Stops at any other chunk, and at a fid for which relay->fids
 * has no number; nytp_reader_next() delivers those. Returns 0, or the writer's error. */
int nytp_reader_relay(nytp_reader *reader, nytp_writer *writer, nytp_relay *relay);

/* Where a chunk of text may stand in a compressed stream.
 *
 * Stock's reader inflates into a buffer of NYTP_STOCK_BUFFER_BYTES, and loses an attribute or option whose
 * line begins in one buffer and ends in the next ("attribute malformed"). It skips a comment that does
 * without a word. (Observed with Devel::NYTProf 6.12.) So a line that would lie in two buffers comes after a
 * comment that takes the rest of the first buffer and one byte of the second.
 */

enum { NYTP_STOCK_BUFFER_BYTES = 163840 };

/* Returns the length in bytes of the comment, with its tag and newline, that must come before a chunk at
 * offset; 0 if none is needed, as for a chunk that is not an attribute or option. The offset counts inflated
 * bytes since START_DEFLATE. */
static inline size_t nytp_text_gap(uint64_t offset, const nytp_chunk *chunk)
{
    const size_t left = NYTP_STOCK_BUFFER_BYTES - (size_t)(offset % NYTP_STOCK_BUFFER_BYTES);
    if (chunk->tag != NYTP_ATTRIBUTE && chunk->tag != NYTP_OPTION)
        return 0;
    const size_t line_bytes = chunk->attribute.key.length + chunk->attribute.value.length + 3; /* ":=\n" */
    return line_bytes > left && line_bytes <= NYTP_STOCK_BUFFER_BYTES ? left + 1 : 0;
}

/* Appends chunks that are encoded already; a chunk may be split between calls. They are not checked. The
 * collector uses it, since it encodes chunks straight into its own blocks. Returns 0, or a negative error. */
int nytp_writer_encoded(nytp_writer *writer, const void *data, size_t size);

/* How to compress from START_DEFLATE on; NYTP_DEFLATE_FAST by default. */
void nytp_writer_set_deflate(nytp_writer *writer, enum nytp_deflate_with with);

/* Like nytp_deflate_prepare() and nytp_deflate_choose(); without effect before START_DEFLATE. */
bool nytp_writer_prepare(nytp_writer *writer);
int nytp_writer_choose(nytp_writer *writer, nytp_deflate_effort effort);

/* Compresses on that many threads from START_DEFLATE on. A flush then does not reach the sink, and remember()
 * and resume() cannot be used. */
void nytp_writer_set_threads(nytp_writer *writer, unsigned threads);

/* Like nytp_deflate_remember() and nytp_deflate_resume(), with or without compression. */
int nytp_writer_remember(nytp_writer *writer, nytp_deflate_mark *mark);
void nytp_writer_resume(nytp_writer *writer, const nytp_deflate_mark *mark);
