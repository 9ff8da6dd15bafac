/* The reader returns every chunk as it was written, however the bytes reach it. */
#include "bytes/source.h"
#include "format/reader.h"
#include "test/unit/support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_complete(const reading *r)
{
    assert_int_equal(r->end, NYTP_END);
    assert_int_equal(r->error.code, NYTP_OK);
    assert_string_equal(r->error.message, "");
}

static void assert_same(const reading *r, const reading *whole)
{
    assert_complete(r);
    assert_int_equal(r->length, whole->length);
    assert_memory_equal(r->text, whole->text, r->length);
}

static void every_chunk_comes_back_with_its_values(void **state)
{
    static const char expected[] = "VERSION\t5\t0\n"
                                   "COMMENT\t'%20a%20profile\n"
                                   "ATTRIBUTE\t'ticks_per_sec\t'1000000\n"
                                   "OPTION\t'calls\t'2=2\n"
                                   "START_DEFLATE\n"
                                   "PID_START\t4711\t1\t1700000000.25\n"
                                   "NEW_FID\t1\t0\t0\t274\t300\t70000\t'/tmp/a.pl\n"
                                   "NEW_FID\t2\t1\t17\t258\t0\t0\t\"(eval%201)[%C3%A4.pl:17]\n"
                                   "TIME_LINE\t12\t1\t3\n"
                                   "DISCOUNT\n"
                                   "TIME_LINE\t-1\t300\t70000\n"
                                   "TIME_BLOCK\t40000\t2\t130\t128\t3000000\n"
                                   "SUB_ENTRY\t1\t300000000\n"
                                   "SUB_RETURN\t2\t1234.5\t-0\t'main::f\n"
                                   "SUB_RETURN\t200\t1.0000000000000001e+300\t0.33333333333333331\t'\n"
                                   "SUB_INFO\t1\t4\t400\t'main::f\n"
                                   "SUB_CALLERS\t1\t9\t1000\t0.10000000000000001\t0.050000000000000003"
                                   "\t0.025000000000000001\t3\t\"main::%C3%A4\t'main::RUNTIME\n"
                                   "SRC_LINE\t1\t1\t'print%20'x';%00%0A\n"
                                   "ATTRIBUTE\t'cumulative_overhead_ticks\t'\n"
                                   "PID_END\t4711\t1700000001.75\n";
    (void)state;
    memory stream = sample_stream(true);
    reading whole = read_bytes(stream.data, stream.size, plainly);
    assert_complete(&whole);
    assert_string_equal(whole.text, expected);
    assert_int_equal(whole.chunks, sample_count(true));
    reading_free(&whole);
    memory_free(&stream);
}

static void all_ways_of_reading_agree(void **state)
{
    size_t count;
    const way *all = ways(&count);
    (void)state;
    for (int compressed = 0; compressed < 2; compressed++) {
        memory stream = sample_stream(compressed);
        reading whole = read_bytes(stream.data, stream.size, plainly);
        for (size_t i = 0; i < count; i++) {
            reading r = read_bytes(stream.data, stream.size, all[i]);
            assert_same(&r, &whole);
            reading_free(&r);
        }
        reading_free(&whole);
        memory_free(&stream);
    }
}

static void every_kind_of_source_can_be_read(void **state)
{
    char path[] = "/tmp/nytp-u-reader-XXXXXX";
    int fd = mkstemp(path), fds[2];
    memory stream = sample_stream(true);
    reading whole = read_bytes(stream.data, stream.size, plainly);
    (void)state;
    assert_int_equal(write(fd, stream.data, stream.size), stream.size);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], stream.data, stream.size), stream.size);
    close(fds[1]);
    nytp_source *sources[] = {nytp_source_file(path), nytp_source_fd(fd, "fd"),
                              nytp_source_fd(fds[0], "pipe")};
    for (size_t i = 0; i < COUNT(sources); i++) {
        reading r = read_to_end(nytp_reader_new(sources[i]));
        assert_same(&r, &whole);
        reading_free(&r);
    }
    close(fd);
    close(fds[0]);
    unlink(path);
    reading_free(&whole);
    memory_free(&stream);
}

/* Strings longer than any buffer; one has the largest allowed length. */
static void long_strings_come_whole(void **state)
{
    static const uint32_t lengths[] = {1 << 20, 32 << 20, 0, 300000};
    char *text = malloc(32 << 20);
    size_t count;
    const way *all = ways(&count);
    (void)state;
    for (uint32_t i = 0; i < 32 << 20; i++)
        text[i] = (char)(i * 7 + i / 1000);
    nytp_chunk chunks[COUNT(lengths) + 2] = {{.tag = NYTP_VERSION, .version = {5, 0}},
                                             {.tag = NYTP_START_DEFLATE}};
    for (size_t i = 0; i < COUNT(lengths); i++)
        chunks[i + 2] = (nytp_chunk){.tag = NYTP_SRC_LINE, .src_line = {1, 2, {text, lengths[i], false}}};
    memory stream = stream_of(chunks, COUNT(chunks));
    for (size_t w = 0; w < count; w++) {
        if (all[w].most > 0 && all[w].most < 300)
            continue;
        nytp_chunk chunk;
        nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream.data, stream.size, "p.out"));
        nytp_reader_set_threads(reader, all[w].threads);
        nytp_reader_set_inflater(reader, all[w].with);
        nytp_reader_set_tags(reader, nytp_tag_bit(NYTP_SRC_LINE));
        for (size_t i = 0; i < COUNT(lengths); i++) {
            assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_OK);
            assert_int_equal(chunk.src_line.text.length, lengths[i]);
            assert_int_equal(memcmp(chunk.src_line.text.bytes, text, lengths[i]), 0);
        }
        assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_CUT); /* no process ever began */
        nytp_reader_free(reader);
    }
    memory_free(&stream);
    free(text);
}

/* Reads to the end, or until the limit on memory is reached. */
static void read_within(const memory *stream, uint64_t base_bytes, uint32_t bytes_per_byte, bool enough)
{
    nytp_chunk chunk;
    int rc;
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream->data, stream->size, "p.out"));
    nytp_reader_set_memory(reader, base_bytes, bytes_per_byte);
    do
        rc = nytp_reader_next(reader, &chunk);
    while (rc == NYTP_OK);
    assert_int_equal(rc, enough ? NYTP_CUT : NYTP_ERR_MEMORY);
    if (!enough)
        assert_contains(nytp_reader_error(reader)->message, ": more memory than it may take");
    nytp_reader_free(reader);
}

static void memory_can_be_limited(void **state)
{
    enum { LENGTH = 3 << 20, PROCESSES = 100000 };
    char *text = calloc(1, LENGTH);
    const nytp_chunk long_text[] = {{.tag = NYTP_VERSION, .version = {5, 0}},
                                    {.tag = NYTP_START_DEFLATE},
                                    {.tag = NYTP_SRC_LINE, .src_line = {1, 2, {text, LENGTH, false}}}};
    nytp_chunk *processes = calloc(PROCESSES, sizeof *processes);
    processes[0] = long_text[0];
    processes[1] = long_text[1];
    for (uint32_t i = 2; i < PROCESSES; i++)
        processes[i] = (nytp_chunk){.tag = NYTP_PID_START, .pid_start = {7, 1, 0}};
    (void)state;
    memory of_text = stream_of(long_text, COUNT(long_text)), of_pids = stream_of(processes, PROCESSES);
    read_within(&of_text, 2 << 20, 0, false);
    read_within(&of_text, 16 << 20, 0, true);
    read_within(&of_text, 2 << 20, 1 << 14, true);
    read_within(&of_pids, 1 << 20, 0, false);
    read_within(&of_pids, 16 << 20, 0, true);
    read_within(&of_pids, UINT64_MAX, 8, true);
    read_within(&of_pids, UINT64_MAX - 1, UINT32_MAX, true);
    memory_free(&of_text);
    memory_free(&of_pids);
    free(processes);
    free(text);
}

/* The reader says where each chunk begins in the stream, counted after inflating. */
static void offsets_are_those_of_the_stream(void **state)
{
    nytp_chunk chunk;
    (void)state;
    memory plain = sample_stream(false), compressed = sample_stream(true);
    nytp_reader *a = nytp_reader_new(nytp_source_memory(plain.data, plain.size, "p.out"));
    nytp_reader *b = nytp_reader_new(nytp_source_memory(compressed.data, compressed.size, "p.out"));
    uint64_t deflate_bytes = 0;
    while (nytp_reader_next(a, &chunk) == NYTP_OK) {
        uint64_t offset = chunk.offset;
        assert_int_equal(plain.data[offset], chunk.tag);
        assert_int_equal(nytp_reader_next(b, &chunk), NYTP_OK);
        if (chunk.tag == NYTP_START_DEFLATE) {
            assert_int_equal(nytp_reader_next(b, &chunk), NYTP_OK);
            deflate_bytes = 1;
        }
        assert_int_equal(chunk.offset, offset + deflate_bytes);
    }
    assert_int_equal(deflate_bytes, 1);
    nytp_reader_free(a);
    nytp_reader_free(b);
    memory_free(&plain);
    memory_free(&compressed);
}

static void only_wanted_chunks_are_delivered(void **state)
{
    static const nytp_tag tags[] = {NYTP_VERSION,   NYTP_COMMENT,   NYTP_ATTRIBUTE,   NYTP_OPTION,
                                    NYTP_PID_START, NYTP_PID_END,   NYTP_NEW_FID,     NYTP_TIME_LINE,
                                    NYTP_DISCOUNT,  NYTP_SUB_ENTRY, NYTP_TIME_BLOCK,  NYTP_SUB_RETURN,
                                    NYTP_SUB_INFO,  NYTP_SRC_LINE,  NYTP_SUB_CALLERS, NYTP_START_DEFLATE};
    memory stream = sample_stream(true);
    size_t all = 0;
    uint32_t bits = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(tags); i++) {
        nytp_chunk chunk;
        int rc;
        nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream.data, stream.size, "p.out"));
        nytp_reader_set_tags(reader, nytp_tag_bit(tags[i]));
        for (; (rc = nytp_reader_next(reader, &chunk)) == NYTP_OK; all++)
            assert_int_equal(chunk.tag, tags[i]);
        assert_int_equal(rc, NYTP_END);
        assert_true(nytp_reader_ticks_per_sec(reader) == 1e6); /* applied even if it is not delivered */
        assert_int_equal(nytp_reader_chunks(reader), sample_count(true));
        nytp_reader_free(reader);
        assert_int_equal(bits & nytp_tag_bit(tags[i]), 0);
        bits |= nytp_tag_bit(tags[i]);
    }
    assert_int_equal(all, sample_count(true));
    memory_free(&stream);
}

static void ticks_per_sec_is_ten_million_by_default(void **state)
{
    memory stream = sample_stream(false);
    nytp_chunk chunk;
    (void)state;
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream.data, stream.size, "p.out"));
    assert_true(nytp_reader_ticks_per_sec(reader) == 1e7);
    do
        assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_OK);
    while (chunk.tag != NYTP_ATTRIBUTE);
    assert_true(nytp_reader_ticks_per_sec(reader) == 1e6);
    nytp_reader_free(reader);
    memory_free(&stream);
}

static void position_grows_to_the_size(void **state)
{
    memory stream = sample_stream(true);
    uint64_t taken, size, before = 0;
    nytp_chunk chunk;
    (void)state;
    for (int threads = NYTP_THREADS_NEVER; threads <= NYTP_THREADS_ALWAYS; threads++) {
        nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream.data, stream.size, "p.out"));
        nytp_reader_set_threads(reader, threads);
        nytp_reader_position(reader, &taken, &size);
        assert_int_equal(taken, 0);
        assert_int_equal(size, stream.size);
        for (before = 0; nytp_reader_next(reader, &chunk) == NYTP_OK; before = taken) {
            nytp_reader_position(reader, &taken, &size);
            assert_true(taken >= before && taken <= size);
        }
        nytp_reader_position(reader, &taken, &size);
        assert_int_equal(taken, size);
        nytp_reader_free(reader);
    }
    memory_free(&stream);
}

static void format_4_is_read_too(void **state)
{
    memory stream = sample_stream(false);
    (void)state;
    memcpy(stream.data, "NYTProf 4", 9);
    reading r = read_bytes(stream.data, stream.size, plainly);
    assert_complete(&r);
    assert_memory_equal(r.text, "VERSION\t4\t0\n", 12);
    assert_int_equal(r.chunks, sample_count(false));
    reading_free(&r);
    memory_free(&stream);
}

static void tags_have_names(void **state)
{
    (void)state;
    assert_string_equal(nytp_tag_name(NYTP_SUB_RETURN), "SUB_RETURN");
    assert_string_equal(nytp_tag_name(NYTP_VERSION), "VERSION");
    assert_string_equal(nytp_tag_name('?'), "unknown");
    assert_string_equal(nytp_tag_name(0), "unknown");
    assert_int_equal(nytp_tag_bit((nytp_tag)'?'), 0);
}

static void a_reader_can_be_freed_at_any_time(void **state)
{
    memory stream = sample_stream(true);
    nytp_chunk chunk;
    size_t count = sample_count(true);
    (void)state;
    for (size_t chunks = 0; chunks < count; chunks++) {
        int fds[2];
        assert_int_equal(pipe(fds), 0);
        assert_int_equal(write(fds[1], stream.data, stream.size - 60), stream.size - 60);
        nytp_reader *reader = nytp_reader_new(nytp_source_fd(fds[0], "an idle pipe"));
        nytp_reader_set_threads(reader, NYTP_THREADS_ALWAYS);
        for (size_t i = 0; i < chunks && i < 5; i++)
            assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_OK);
        nytp_reader_free(reader);
        close(fds[0]);
        close(fds[1]);
    }
    nytp_reader_free(NULL);
    assert_null(nytp_reader_new(NULL));
    memory_free(&stream);
}

typedef struct lender {
    nytp_source base;
    unsigned char *data; /* with space to write before and after it */
    size_t size;
} lender;

/* Lends everything at once. At the end it points anywhere. */
static ptrdiff_t lend_all(nytp_source *self, unsigned char **bytes, nytp_error *err)
{
    lender *l = (lender *)self;
    ptrdiff_t size = (ptrdiff_t)l->size;
    (void)err;
    *bytes = l->data;
    l->size = 0;
    return size;
}

static void free_lender(nytp_source *self)
{
    free(self->name);
    free(self);
}

/* On the stack, at a higher address than all memory of the reader. */
static void the_end_of_what_is_lent_is_the_end(void **state)
{
    unsigned char room[NYTP_LENT_BEFORE + 4096];
    memory stream = sample_stream(false);
    lender *l = nytp_source_alloc(sizeof *l, "lent", NULL, free_lender);
    (void)state;
    assert_true(stream.size + 1024 < sizeof room - NYTP_LENT_BEFORE);
    l->data = memcpy(room + NYTP_LENT_BEFORE, stream.data, stream.size);
    l->size = stream.size;
    l->base.lend = lend_all;
    reading r = read_to_end(nytp_reader_new(&l->base)), whole = read_bytes(stream.data, stream.size, plainly);
    assert_same(&r, &whole);
    reading_free(&r);
    reading_free(&whole);
    memory_free(&stream);
}

/* Three streams in one source: each comes with its chunks, and has offsets that go on. */
static void profiles_come_one_after_the_other(void **state)
{
    static const bool compressed[] = {true, false, true};
    memory all = {0};
    uint64_t starts[COUNT(compressed)];
    (void)state;
    for (size_t i = 0; i < COUNT(compressed); i++) {
        memory one = sample_stream(compressed[i]);
        starts[i] = all.size;
        memory_add(&all, (const char *)one.data, one.size);
        memory_free(&one);
    }
    size_t way_count;
    const way *all_ways = ways(&way_count);
    for (size_t w = 0; w < way_count; w++) {
        nytp_chunk chunk;
        uint64_t offset = 0;
        nasty n = {.data = all.data, .left = all.size, .most = all_ways[w].most, .random = w};
        nytp_reader *reader = nytp_reader_new(n.most > 0 ? nytp_source_callback(nasty_read, &n, "p.out")
                                                         : nytp_source_memory(all.data, all.size, "p.out"));
        nytp_reader_set_threads(reader, all_ways[w].threads);
        nytp_reader_set_inflater(reader, all_ways[w].with);
        for (size_t i = 0; i < COUNT(compressed); i++) {
            size_t count = 0;
            assert_int_equal(nytp_reader_next_profile(reader, &offset), i == 0 ? NYTP_ERR_STATE : NYTP_OK);
            assert_int_equal(offset, starts[i]);
            while (nytp_reader_next(reader, &chunk) == NYTP_OK)
                count++;
            assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_END);
            assert_int_equal(count, sample_count(compressed[i]));
        }
        assert_int_equal(nytp_reader_next_profile(reader, &offset), NYTP_END);
        assert_int_equal(nytp_reader_warnings(reader, NULL), 0);
        nytp_reader_free(reader);
    }
    memory_free(&all);
}

static void settings_come_before_the_first_read(void **state)
{
    memory stream = sample_stream(true);
    const nytp_dprof_options options = {.clock = NYTP_CLOCK_REAL};
    nytp_chunk chunk;
    (void)state;
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream.data, stream.size, "p.out"));
    assert_int_equal(nytp_reader_set_threads(reader, NYTP_THREADS_NEVER), 0);
    assert_int_equal(nytp_reader_set_dprof(reader, &options), 0);
    while (nytp_reader_next(reader, &chunk) == NYTP_OK) {
        assert_int_equal(nytp_reader_set_threads(reader, NYTP_THREADS_ALWAYS), NYTP_ERR_STATE);
        assert_int_equal(nytp_reader_set_dprof(reader, &options), NYTP_ERR_STATE);
    }
    assert_int_equal(nytp_reader_set_threads(reader, NYTP_THREADS_ALWAYS), NYTP_ERR_STATE);
    assert_int_equal(nytp_reader_error(reader)->code, NYTP_OK);
    nytp_reader_free(reader);
    reader = nytp_reader_new(nytp_source_file("/nonexistent/nytprof.out"));
    assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_ERR_IO);
    assert_int_equal(nytp_reader_set_dprof(reader, &options), NYTP_ERR_STATE);
    nytp_reader_free(reader);
    memory_free(&stream);
}

static void the_library_says_its_version(void **state)
{
    unsigned major, minor, patch;
    (void)state;
    assert_string_equal(nytp_version(), NYTP_VERSION_STRING);
    assert_int_equal(nytp_version_number(), NYTP_VERSION_NUMBER);
    assert_int_equal(sscanf(nytp_version(), "%u.%u.%u", &major, &minor, &patch), 3);
    assert_int_equal(nytp_version_number(), major << 16 | minor << 8 | patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chunk_comes_back_with_its_values),
        cmocka_unit_test(all_ways_of_reading_agree),
        cmocka_unit_test(every_kind_of_source_can_be_read),
        cmocka_unit_test(long_strings_come_whole),
        cmocka_unit_test(memory_can_be_limited),
        cmocka_unit_test(settings_come_before_the_first_read),
        cmocka_unit_test(the_library_says_its_version),
        cmocka_unit_test(offsets_are_those_of_the_stream),
        cmocka_unit_test(only_wanted_chunks_are_delivered),
        cmocka_unit_test(ticks_per_sec_is_ten_million_by_default),
        cmocka_unit_test(position_grows_to_the_size),
        cmocka_unit_test(format_4_is_read_too),
        cmocka_unit_test(tags_have_names),
        cmocka_unit_test(a_reader_can_be_freed_at_any_time),
        cmocka_unit_test(the_end_of_what_is_lent_is_the_end),
        cmocka_unit_test(profiles_come_one_after_the_other),
    };
    return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
