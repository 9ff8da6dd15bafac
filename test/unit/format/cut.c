/* Profiles that stop early: the chunks before that are delivered, and the reader says where it stops and what
 * is missing. */
#include "test/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds where each chunk of a stream begins, and where the last one ends. */
static size_t chunk_offsets(const memory *stream, uint64_t offsets[static 40])
{
    nytp_chunk chunk;
    size_t count = 0;
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream->data, stream->size, "p.out"));
    while (nytp_reader_next(reader, &chunk) == NYTP_OK)
        offsets[count++] = chunk.offset;
    nytp_reader_free(reader);
    offsets[count] = stream->size;
    return count;
}

static void assert_cut(const reading *r, const reading *whole)
{
    assert_int_equal(r->end, NYTP_CUT);
    assert_int_equal(r->error.code, NYTP_CUT);
    assert_prefix(r, whole);
    const char *rest = r->error.message;
    char start[128];
    bool inflating = strstr(r->text, "START_DEFLATE\n") != NULL;
    bool open_process = strstr(r->text, "PID_START") != NULL && strstr(r->text, "PID_END") == NULL;
    snprintf(start, sizeof start, "p.out: cut short at offset %llu%s", (unsigned long long)r->error.offset,
             inflating ? " of the inflated data" : "");
    assert_memory_equal(rest, start, strlen(start));
    assert_int_equal(strstr(rest, "; no end of process 4711") != NULL, open_process);
}

static void every_prefix_of_a_plain_profile_is_cut(void **state)
{
    memory stream = sample_stream(false);
    reading whole = read_bytes(stream.data, stream.size, plainly);
    uint64_t offsets[40] = {0};
    size_t count, whole_chunks = 0;
    const way *all = ways(&count);
    (void)state;
    assert_int_equal(chunk_offsets(&stream, offsets), sample_count(false));
    for (size_t cut = 0; cut < stream.size; cut++) {
        whole_chunks += cut >= offsets[whole_chunks + 1];
        for (size_t i = 0; i < count; i++) {
            reading r = read_bytes(stream.data, cut, all[i]);
            assert_cut(&r, &whole);
            assert_int_equal(r.chunks, whole_chunks);
            assert_int_equal(r.error.offset, offsets[whole_chunks]);
            reading_free(&r);
        }
    }
    reading_free(&whole);
    memory_free(&stream);
}

/* The size without the last comment, which describes the compression. */
static size_t before_comment(const memory *stream)
{
    static const char comment[] = "#\n# Compressed ";
    size_t at = stream->size - (sizeof comment - 1);
    while (memcmp(stream->data + at, comment, sizeof comment - 1) != 0)
        at--;
    return at;
}

static void every_prefix_of_a_compressed_profile_is_cut(void **state)
{
    memory stream = sample_stream(true);
    reading whole = read_bytes(stream.data, stream.size, plainly);
    size_t count, complete = before_comment(&stream);
    const way *all = ways(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        size_t most = 0;
        for (size_t cut = 0; cut <= stream.size; cut++) {
            reading r = read_bytes(stream.data, cut, all[i]);
            if (cut < complete)
                assert_cut(&r, &whole);
            else
                assert_int_equal(r.end, NYTP_END);
            assert_true(r.chunks >= most);
            most = r.chunks;
            reading_free(&r);
        }
        assert_int_equal(most, whole.chunks);
    }
    reading_free(&whole);
    memory_free(&stream);
}

/* Expects the message for the first bytes of a stream. */
static void assert_message(const memory *stream, size_t size, const char *message)
{
    reading r = read_bytes(stream->data, size, plainly);
    assert_int_equal(r.end, NYTP_CUT);
    assert_string_equal(r.error.message, message);
    reading_free(&r);
}

static void the_message_says_what_is_missing(void **state)
{
    memory plain = stream_begin(), compressed = sample_stream(true);
    (void)state;
    assert_message(&plain, 0, "p.out: cut short at offset 0, before any process began");
    assert_message(&plain, 3, "p.out: cut short at offset 0, within a VERSION chunk");
    assert_message(&plain, 12, "p.out: cut short at offset 12, before any process began");
    assert_message(&plain, 14, "p.out: cut short at offset 12, within a PID_START chunk");
    assert_message(&plain, plain.size, "p.out: cut short at offset 23; no end of process 7");
    memory_add(&plain, "<\1", 2);
    assert_message(&plain, plain.size,
                   "p.out: cut short at offset 23, within a SUB_RETURN chunk; no end of process 7");
    memory option = stream_begin();
    memory_add(&option, "!calls=", 7);
    assert_message(&option, option.size,
                   "p.out: cut short at offset 23, within an OPTION chunk; no end of process 7");
    memory_free(&option);
    compressed.size = before_comment(&compressed);
    reading whole = read_bytes(compressed.data, compressed.size, plainly);
    reading r = read_bytes(compressed.data, compressed.size - 1, plainly);
    assert_int_equal(r.chunks, whole.chunks);
    assert_contains(r.error.message, " of the inflated data: the compressed data has no end");
    reading_free(&r);
    reading_free(&whole);
    memory_free(&plain);
    memory_free(&compressed);
}

static void put_pids(memory *stream, int32_t first, int32_t last)
{
    nytp_writer *writer = nytp_writer_new(nytp_sink_callback(memory_write, stream, "memory"), 6);
    const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}};
    nytp_writer_chunk(writer, &version);
    for (int32_t pid = first; pid != last + 1; pid++) {
        const nytp_chunk begin = {.tag = NYTP_PID_START, .pid_start = {(uint32_t)pid, 1, 1.5}};
        assert_int_equal(nytp_writer_chunk(writer, &begin), 0);
    }
    assert_int_equal(nytp_writer_finish(writer), 0);
    nytp_writer_free(writer);
}

static void end_pid(memory *stream, unsigned char pid)
{
    const char bytes[] = {'p', (char)pid, 0, 0, 0, 0, 0, 0, 0, 0};
    memory_add(stream, bytes, sizeof bytes);
}

static void processes_without_an_end_are_listed(void **state)
{
    memory stream = {0};
    (void)state;
    put_pids(&stream, 1, 7);
    assert_message(&stream, stream.size,
                   "p.out: cut short at offset 89; no end of process 1, 2, 3, 4, 5 and 2 more");
    end_pid(&stream, 3);
    end_pid(&stream, 100); /* it never began, which is fine */
    assert_message(&stream, stream.size,
                   "p.out: cut short at offset 109; no end of process 1, 2, 4, 5, 6 and 1 more");
    end_pid(&stream, 7);
    assert_message(&stream, stream.size, "p.out: cut short at offset 119; no end of process 1, 2, 4, 5, 6");
    for (unsigned char pid = 1; pid < 7; pid++)
        end_pid(&stream, pid);
    reading r = read_bytes(stream.data, stream.size, plainly);
    assert_int_equal(r.end, NYTP_END);
    reading_free(&r);
    memory_free(&stream);
}

/* A pid can begin again after its end, or in merged profiles before it. */
static void a_pid_needs_as_many_ends_as_starts(void **state)
{
    memory stream = stream_begin();
    const char again[] = {'P', 7, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    (void)state;
    memory_add(&stream, again, sizeof again);
    end_pid(&stream, 7);
    assert_message(&stream, stream.size, "p.out: cut short at offset 44; no end of process 7");
    end_pid(&stream, 7);
    reading r = read_bytes(stream.data, stream.size, plainly);
    assert_int_equal(r.end, NYTP_END);
    reading_free(&r);
    memory_free(&stream);
}

/* The longest possible list fits in the message. */
static void large_pids_are_listed_too(void **state)
{
    memory stream = {0};
    (void)state;
    put_pids(&stream, -9, -2);
    reading r = read_bytes(stream.data, stream.size, plainly);
    assert_contains(r.error.message, "; no end of process 4294967287, 4294967288, 4294967289, "
                                     "4294967290, 4294967291 and 3 more");
    reading_free(&r);
    memory_free(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prefix_of_a_plain_profile_is_cut),
        cmocka_unit_test(every_prefix_of_a_compressed_profile_is_cut),
        cmocka_unit_test(the_message_says_what_is_missing),
        cmocka_unit_test(processes_without_an_end_are_listed),
        cmocka_unit_test(a_pid_needs_as_many_ends_as_starts),
        cmocka_unit_test(large_pids_are_listed_too),
    };
    return cmocka_run_group_tests_name("cut", tests, NULL, NULL);
}
