/* Whatever chunks go in, the same come out, and written again they are the same bytes. */
#include "test/unit/support.h"

#include "chunks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 60, CHUNKS = 400 };

static const nytp_tag tags[] = {NYTP_COMMENT,     NYTP_ATTRIBUTE, NYTP_OPTION,     NYTP_PID_START,
                                NYTP_PID_END,     NYTP_NEW_FID,   NYTP_TIME_LINE,  NYTP_TIME_BLOCK,
                                NYTP_DISCOUNT,    NYTP_SUB_ENTRY, NYTP_SUB_RETURN, NYTP_SUB_INFO,
                                NYTP_SUB_CALLERS, NYTP_SRC_LINE};

static uint64_t seed;

/* As many small numbers as large ones. */
static uint32_t random_u32(void)
{
    return (uint32_t)random_next(&seed) >> random_next(&seed) % 32;
}

/* Any bits, NaNs and infinities too. */
static double random_nv(void)
{
    uint64_t bits = random_next(&seed);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Any bytes, sometimes many; they live until the next stream. */
static char pool[2 << 20];
static size_t pool_used;

static nytp_str random_str(void)
{
    size_t length = random_next(&seed) % 100 == 0 ? random_u32() % 200000 : random_u32() % 40;
    if (length > sizeof pool - pool_used)
        length = 0;
    nytp_str s = {pool + pool_used, length, random_next(&seed) % 2 == 0};
    for (size_t i = 0; i < length; i++)
        pool[pool_used++] = (char)random_next(&seed);
    return s;
}

/* One that a line can hold: no newline in it, nor = in a key. */
static nytp_str random_text(void)
{
    nytp_str s = random_str();
    s.utf8 = false;
    for (size_t i = 0; i < s.length; i++)
        if (s.bytes[i] == '\n' || s.bytes[i] == '=')
            pool[s.bytes - pool + (ptrdiff_t)i] = '.';
    return s;
}

#define RANDOM_u32(field) c.field = random_u32();
#define RANDOM_i32(field) c.field = (int32_t)random_u32();
#define RANDOM_nv(field)  c.field = random_nv();
#define RANDOM_str(field) c.field = random_str();

static nytp_chunk random_chunk(void)
{
    nytp_chunk c = {.tag = tags[random_next(&seed) % COUNT(tags)]};
    switch (c.tag) {
    case NYTP_COMMENT: c.comment.text = random_text(); break;
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION:
        c.attribute.key = random_text();
        c.attribute.value = random_text();
        break;
#define CASE(name)                                                                                           \
    case NYTP_##name: name##_FIELDS(RANDOM) break;
        BINARY_CHUNKS(CASE)
#undef CASE
    default: break;
    }
    return c;
}

static memory random_stream(void)
{
    nytp_chunk chunks[CHUNKS] = {{.tag = NYTP_VERSION, .version = {5, 0}}};
    const nytp_chunk deflate = {.tag = NYTP_START_DEFLATE};
    size_t deflate_at = random_next(&seed) % (2 * COUNT(chunks)); /* past the end: a plain one */
    pool_used = 0;
    for (size_t i = 1; i < CHUNKS; i++)
        chunks[i] = i == deflate_at ? deflate : random_chunk();
    return stream_of(chunks, CHUNKS);
}

static memory copy(const memory *stream, way how)
{
    memory m = {0};
    nytp_chunk chunk;
    int rc;
    nasty n = {.data = stream->data, .left = stream->size, .most = how.most * 100, .random = seed};
    nytp_writer *writer = nytp_writer_new(nytp_sink_callback(memory_write, &m, "copy"), 6);
    nytp_reader *reader =
        nytp_reader_new(how.most > 0 ? nytp_source_callback(nasty_read, &n, "p.out")
                                     : nytp_source_memory(stream->data, stream->size, "p.out"));
    nytp_reader_set_threads(reader, how.threads);
    nytp_reader_set_inflater(reader, how.with);
    while ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
        if (nytp_writer_chunk(writer, &chunk) != 0)
            fail_msg("%s", nytp_writer_error(writer)->message);
    if (rc < 0)
        fail_msg("%s", nytp_reader_error(reader)->message);
    assert_int_equal(nytp_writer_finish(writer), 0);
    nytp_reader_free(reader);
    nytp_writer_free(writer);
    return m;
}

static void copies_are_the_same_bytes(void **state)
{
    const char *given = getenv("SEED");
    uint64_t first = given != NULL ? strtoull(given, NULL, 0) : 20091;
    size_t count;
    const way *all = ways(&count);
    (void)state;
    print_message("SEED=%llu\n", (unsigned long long)first);
    for (uint64_t i = 0; i < STREAMS; i++) {
        seed = first + i;
        memory stream = random_stream();
        memory again = copy(&stream, all[i % count]);
        if (again.size != stream.size || memcmp(again.data, stream.data, stream.size) != 0)
            fail_msg("the copy differs: SEED=%llu", (unsigned long long)(first + i));
        memory_free(&stream);
        memory_free(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_are_the_same_bytes)};
    return cmocka_run_group_tests_name("roundtrip", tests, NULL, NULL);
}
