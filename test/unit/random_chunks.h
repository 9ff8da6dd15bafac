/* Chunks with any values that the format can hold. */
#pragma once

#include "nytprof.h"

extern uint64_t random_chunks_seed;

/* A chunk of any kind except VERSION and START_DEFLATE. Its strings are valid until the next
 * random_chunks_begin(). */
void random_chunks_begin(void);
nytp_chunk random_chunk(void);
