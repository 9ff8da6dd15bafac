#include "test/unit/random_chunks.h"
#include "test/unit/support.h"

#include "format/chunks.h"

#include <string.h>

static const nytp_tag tags[] = {NYTP_COMMENT,     NYTP_ATTRIBUTE, NYTP_OPTION,     NYTP_PID_START,
                                NYTP_PID_END,     NYTP_NEW_FID,   NYTP_TIME_LINE,  NYTP_TIME_BLOCK,
                                NYTP_DISCOUNT,    NYTP_SUB_ENTRY, NYTP_SUB_RETURN, NYTP_SUB_INFO,
                                NYTP_SUB_CALLERS, NYTP_SRC_LINE,  NYTP_COVER_UNIT, NYTP_COVER_HIT};

uint64_t random_chunks_seed;

/* Small numbers are as frequent as large ones. */
static uint32_t random_u32(void)
{
    return (uint32_t)random_next(&random_chunks_seed) >> random_next(&random_chunks_seed) % 32;
}

static int32_t random_i32(void)
{
    return (int32_t)random_u32();
}

/* Any bits, NaNs and infinities too. */
static double random_nv(void)
{
    uint64_t bits = random_next(&random_chunks_seed);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The bytes of strings. They stay valid until the next stream begins. */
static char pool[2 << 20];
static size_t pool_used;

void random_chunks_begin(void)
{
    pool_used = 0;
}

/* Any bytes, sometimes many. */
static nytp_str random_str(void)
{
    size_t length = random_next(&random_chunks_seed) % 100 == 0 ? random_u32() % 200000 : random_u32() % 40;
    if (length > sizeof pool - pool_used)
        length = 0;
    nytp_str s = {pool + pool_used, length, random_next(&random_chunks_seed) % 2 == 0};
    for (size_t i = 0; i < length; i++)
        pool[pool_used++] = (char)random_next(&random_chunks_seed);
    return s;
}

/* A string that a line can hold: without newlines, and without the = that no key may have. */
static nytp_str random_text(void)
{
    nytp_str s = random_str();
    s.utf8 = false;
    for (size_t i = 0; i < s.length; i++)
        if (s.bytes[i] == '\n' || s.bytes[i] == '=')
            pool[s.bytes - pool + (ptrdiff_t)i] = '.';
    return s;
}

/* A string that the stream does not have. */
static nytp_str random_absent(void)
{
    return (nytp_str){NULL, 0, false};
}

nytp_chunk random_chunk(void)
{
    nytp_chunk c = {.tag = tags[random_next(&random_chunks_seed) % COUNT(tags)]};
    switch (c.tag) {
    case NYTP_COMMENT: c.comment.text = random_text(); break;
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION:
        c.attribute.key = random_text();
        c.attribute.value = random_text();
        break;
#define RANDOM(type, member) c.member = random_##type();
#define CASE(name)                                                                                           \
    case NYTP_##name: NYTP_FIELDS_##name(RANDOM) break;
        NYTP_BINARY_CHUNKS(CASE)
#undef CASE
#undef RANDOM
    default: break;
    }
    if (c.tag == NYTP_PID_START) /* whose time shows the order of bytes */
        c.pid_start.time_s = random_i32();
    return c;
}
