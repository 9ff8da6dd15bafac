/* What filters leave of a profile. */
#pragma once

#include "lib/events/filters.h"
#include "nytprof.h"

typedef void chunk_print_fn(FILE *out, const nytp_chunk *chunk);

/* Reads a profile of the chunks, fewer than 64, after a header. Returns what print writes of those with the
 * tags that the filters leave; the caller must free() it. */
char *text_of_filtered(const nytp_filter_options *options, const nytp_chunk *chunks, size_t count,
                       uint32_t tags, chunk_print_fn *print);

/* Returns all chunks that are left, a line each, which the caller must free(). */
char *text_of_left(const nytp_filter_options *options, const nytp_chunk *chunks, size_t count);

/* Asserts which chunks are left. */
void chunks_are_left(const nytp_filter_options *options, const nytp_chunk *chunks, size_t count,
                     const nytp_chunk *left, size_t left_count);
