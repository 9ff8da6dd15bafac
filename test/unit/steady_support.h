/* What the tests of steady times share: encoded chunks in memory, as measured and as written. */
#ifndef TEST_STEADY_SUPPORT_H
#define TEST_STEADY_SUPPORT_H

#include "chunks.h"
#include "test/unit/support.h"
#include "xs/outsteady.h"

enum { STEADY_LONGEST = 400 /* bytes of a chunk here */ };

size_t steady_encode(unsigned char bytes[STEADY_LONGEST], const nytp_chunk *chunk);
void steady_add(memory *m, const nytp_chunk *chunk);
memory steady_copy(const memory *m);

/* Has its times made steady, in pieces of up to most bytes, each from where the one before stopped. */
void steady_make(memory *m, uint64_t seed, unsigned most);

/* The next chunk, which must be whole. */
nytp_chunk steady_take(nytp_cursor *c);

#endif
