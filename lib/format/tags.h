/* All tags, each with the number of its bit in a set of tags. */
#pragma once

#include "nytprof.h"

/* clang-format off */
#define NYTP_TAGS(X)                                                                                \
    X(VERSION, 0) X(COMMENT, 1) X(ATTRIBUTE, 2) X(OPTION, 3) X(START_DEFLATE, 4) X(PID_START, 5)    \
    X(PID_END, 6) X(NEW_FID, 7) X(TIME_LINE, 8) X(TIME_BLOCK, 9) X(DISCOUNT, 10) X(SUB_ENTRY, 11)   \
    X(SUB_RETURN, 12) X(SUB_INFO, 13) X(SUB_CALLERS, 14) X(SRC_LINE, 15) X(COVER_UNIT, 16) X(COVER_HIT, 17)
/* clang-format on */

/* nytp_tag_bit() as a constant: NYTP_BIT(SUB_INFO). */
#define NYTP_BIT(name) (UINT32_C(1) << NYTP_BIT_##name)
enum {
#define NUMBER(name, n) NYTP_BIT_##name = (n),
    NYTP_TAGS(NUMBER)
#undef NUMBER
};

/* The tags of chunks that come once for every statement or call. */
#define NYTP_TIMES  (NYTP_BIT(TIME_LINE) | NYTP_BIT(TIME_BLOCK))
#define NYTP_EVENTS (NYTP_TIMES | NYTP_BIT(DISCOUNT) | NYTP_BIT(SUB_ENTRY) | NYTP_BIT(SUB_RETURN))

extern const uint32_t nytp_tag_bits[256]; /* 0 for a byte that is not a tag */

/* The name of a tag with its article, for messages: "an OPTION". */
const char *nytp_tag_phrase(int tag);
