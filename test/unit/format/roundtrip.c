/* Any chunks that are written are read back, and give the same bytes when they are written again. */
#include "format/reader.h"
#include "test/unit/random_chunks.h"
#include "test/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 60, CHUNKS = 400 };

static memory random_stream(void)
{
    nytp_chunk chunks[CHUNKS] = {{.tag = NYTP_VERSION, .version = {5, 0}}};
    const nytp_chunk deflate = {.tag = NYTP_START_DEFLATE};
    size_t deflate_at =
        random_next(&random_chunks_seed) % (2 * COUNT(chunks)); /* past the end: not compressed */
    random_chunks_begin();
    for (size_t i = 1; i < CHUNKS; i++)
        chunks[i] = i == deflate_at ? deflate : random_chunk();
    return stream_of(chunks, CHUNKS);
}

static memory copy(const memory *stream, way how)
{
    memory m = {0};
    nytp_chunk chunk;
    int rc;
    nasty n = {
        .data = stream->data, .left = stream->size, .most = how.most * 100, .random = random_chunks_seed};
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
        random_chunks_seed = first + i;
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
