/* Corrupt profiles: all chunks before the damage, then an error that names the file, the offset and what was
 * expected. */
#include "test/unit/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every way of reading delivers that many chunks, then the error. */
static void assert_error(const memory *stream, size_t chunks, int code, int tag, uint64_t offset,
                         const char *message)
{
    size_t count;
    const way *all = ways(&count);
    for (size_t i = 0; i < count; i++) {
        reading r = read_bytes(stream->data, stream->size, all[i]);
        assert_string_equal(r.error.message, message);
        assert_int_equal(r.end, code);
        assert_int_equal(r.error.code, code);
        assert_int_equal(r.error.tag, tag);
        assert_int_equal(r.error.offset, offset);
        assert_int_equal(r.chunks, chunks);
        reading_free(&r);
    }
}

/* The same for bytes without a header. */
static void assert_no_profile(const char *bytes, size_t size, int code, const char *message)
{
    memory m = {0};
    memory_add(&m, bytes, size);
    assert_error(&m, 0, code, size > 0 ? (unsigned char)bytes[0] : 0, 0, message);
    memory_free(&m);
}

static void other_files_are_refused(void **state)
{
    static const char no_profile[] =
        "p.out: offset 0: not a Perl profile: expected \"NYTProf 5 0\" or \"#fOrTyTwO\"";
    static const char bad_header[] = "p.out: offset 0: bad header: expected \"NYTProf 5 0\"";
    char long_header[100];
    (void)state;
    snprintf(long_header, sizeof long_header, "NYTProf 5 %089d", 1);
    assert_no_profile("#!/usr/bin/perl\n", 16, NYTP_ERR_FORMAT, no_profile);
    assert_no_profile("NYTProg", 7, NYTP_ERR_FORMAT, no_profile);
    assert_no_profile("\0", 1, NYTP_ERR_FORMAT, no_profile);
    assert_no_profile("\x1f\x8b\x08", 3, NYTP_ERR_FORMAT,
                      "p.out: offset 0: not a Perl profile but compressed by gzip: decompress it first");
    assert_no_profile("\xfd\x37zXZ\0", 6, NYTP_ERR_FORMAT,
                      "p.out: offset 0: not a Perl profile but compressed by xz: decompress it first");
    assert_no_profile("\x1f\x8c", 2, NYTP_ERR_FORMAT, no_profile);
    assert_no_profile("NYTProf five\n", 13, NYTP_ERR_FORMAT, bad_header);
    assert_no_profile("NYTProf 5\n", 10, NYTP_ERR_FORMAT, bad_header);
    assert_no_profile("NYTProf 5-2\n", 12, NYTP_ERR_FORMAT, bad_header);
    assert_no_profile("NYTProf \n", 9, NYTP_ERR_FORMAT, bad_header);
    assert_no_profile(long_header, sizeof long_header - 1, NYTP_ERR_FORMAT, bad_header);
    assert_no_profile("NYTProf 6 0\n", 12, NYTP_ERR_UNSUPPORTED,
                      "p.out: offset 0: format 6.0: this library reads 4.0 and 5.0");
    assert_no_profile("NYTProf 3 2\n", 12, NYTP_ERR_UNSUPPORTED,
                      "p.out: offset 0: format 3.2: this library reads 4.0 and 5.0");
}

/* Chunks after a complete header and PID_START, which end at offset 23. */
static void assert_bad_chunk(const char *bytes, size_t size, uint64_t offset, const char *message)
{
    memory m = stream_begin();
    memory_add(&m, bytes, size);
    assert_error(&m, 2, NYTP_ERR_FORMAT, (unsigned char)bytes[0], offset, message);
    memory_free(&m);
}

static void bad_chunks_are_reported(void **state)
{
    (void)state;
    assert_bad_chunk("?and more", 9, 23, "p.out: offset 23: unknown tag 0x3f: expected a chunk");
    assert_bad_chunk("\0", 1, 23, "p.out: offset 23: unknown tag 0x00: expected a chunk");
    assert_bad_chunk("NYTProg 5 0\n", 12, 23, "p.out: offset 23: unknown tag 0x4e: expected a chunk");
    assert_bad_chunk("s\1x\1f\4\5", 7, 25,
                     "p.out: offset 25: expected a string (' or \") in a SUB_INFO chunk");
    assert_bad_chunk("S\1\1'\xff\2\0\0\1", 9, 26,
                     "p.out: offset 26: expected a string of at most 32 MiB in a SRC_LINE chunk");
}

static void a_line_without_an_end_is_reported(void **state)
{
    static const char expected[] = "p.out: offset 23: expected a newline within 32 MiB";
    memory m = stream_begin();
    char *text = malloc(33 << 20);
    memset(text, 'x', 33 << 20);
    (void)state;
    memory_add(&m, "#", 1);
    memory_add(&m, text, 33 << 20);
    reading r = read_bytes(m.data, m.size, plainly);
    assert_int_equal(r.end, NYTP_ERR_FORMAT);
    assert_string_equal(r.error.message, expected);
    reading_free(&r);
    free(text);
    memory_free(&m);
}

static void other_nv_sizes_are_refused(void **state)
{
    memory m = stream_begin();
    (void)state;
    memory_add(&m, ":nv_size=8\n:nv_size=10\n", 23);
    assert_error(&m, 3, NYTP_ERR_UNSUPPORTED, ':', 34,
                 "p.out: offset 34: written by a perl with NVs of 10 bytes: only 8, 12 and 16 can be read");
    memory_free(&m);
}

static void senseless_lines_are_skipped_with_a_warning(void **state)
{
    memory m = stream_begin();
    (void)state;
    memory_add(&m, ":no sense\n!nor this\n:ticks_per_sec=0\n:ticks_per_sec=inf\n:=\n", 59);
    memory_add(&m, "p\7\0\0\0\0\0\0\0\0", 10);
    reading r = read_bytes(m.data, m.size, plainly);
    assert_int_equal(r.end, NYTP_END);
    assert_int_equal(r.warnings, 4);
    assert_string_equal(r.warning, "p.out: offset 23: a line without \"=\" was skipped");
    assert_string_equal(r.text, "VERSION\t5\t0\nPID_START\t7\t1\t1.5\nATTRIBUTE\t'\t'\nPID_END\t7\t0\n");
    assert_true(r.ticks_per_sec == 1e7);
    reading_free(&r);
    memory_free(&m);
}

/* ---- in the compressed part ---- */

/* The header, START_DEFLATE, and a zlib stream of those bytes. */
static memory compressed(const char *bytes, size_t size)
{
    memory m = {0};
    memory_add(&m, "NYTProf 5 0\nz", 13);
    memory_deflate(&m, bytes, size, NYTP_DEFLATE_END);
    return m;
}

static void offsets_count_the_inflated_bytes(void **state)
{
    memory m = compressed("-?", 2);
    (void)state;
    assert_error(&m, 3, NYTP_ERR_FORMAT, '?', 14,
                 "p.out: offset 14 of the inflated data: unknown tag 0x3f: expected a chunk");
    memory_free(&m);
    m = compressed("-z-", 3);
    assert_error(&m, 3, NYTP_ERR_FORMAT, 'z', 14,
                 "p.out: offset 14 of the inflated data: START_DEFLATE within the compressed data");
    memory_free(&m);
}

/* The message names the library that found the damage; their words may differ. */
static void assert_bad_data(const memory *m, size_t least_chunks, const char *words)
{
    size_t count;
    const way *all = ways(&count);
    for (size_t i = 0; i < count; i++) {
        reading r = read_bytes(m->data, m->size, all[i]);
        assert_int_equal(r.end, NYTP_ERR_FORMAT);
        assert_int_equal(r.error.code, NYTP_ERR_FORMAT);
        assert_memory_equal(r.error.message, "p.out: file offset ", 19);
        if (strstr(r.error.message, words) == NULL)
            fail_msg("%s: expected %s", r.error.message, words);
        if (all[i].with == NYTP_INFLATE_ZLIB)
            assert_contains(r.error.message, " (zlib)");
        assert_true(r.chunks >= least_chunks);
        reading_free(&r);
    }
}

static void bad_compressed_data_is_reported(void **state)
{
    char dashes[5000];
    memset(dashes, '-', sizeof dashes);
    memory m = compressed(dashes, sizeof dashes);
    (void)state;
    m.data[14] ^= 1; /* the second byte of the zlib header */
    assert_bad_data(&m, 2, "bad compressed data: incorrect header check");
    m.data[14] ^= 1;
    m.data[m.size - 1] ^= 1; /* Adler-32 */
    assert_bad_data(&m, 2 + sizeof dashes, "bad compressed data: incorrect data check");
    memory_free(&m);
}

static void errors_of_the_source_are_passed_on(void **state)
{
    memory m = sample_stream(true);
    char message[128];
    (void)state;
    snprintf(message, sizeof message, "p.out: cannot read: %s", strerror(EIO));
    for (size_t size = 0; size < m.size; size += 40) {
        nasty n = {.data = m.data, .left = size, .most = 10, .error_number = EIO};
        reading r = read_to_end(nytp_reader_new(nytp_source_callback(nasty_read, &n, "p.out")));
        if (r.end != NYTP_END) { /* the source failed in the trailer, where nothing is read any more */
            assert_int_equal(r.end, NYTP_ERR_IO);
            assert_string_equal(r.error.message, message);
        }
        reading_free(&r);
    }
    memory_free(&m);
}

/* ---- every bit ---- */

/* Returns how much of the text comes from chunks that end before the byte at offset. */
static size_t text_before(const memory *stream, const reading *whole, uint64_t offset)
{
    nytp_chunk chunk;
    const char *text = whole->text;
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream->data, stream->size, "p.out"));
    nytp_reader_next(reader, &chunk);
    while (nytp_reader_next(reader, &chunk) == NYTP_OK && chunk.offset <= offset)
        text = strchr(text, '\n') + 1;
    nytp_reader_free(reader);
    return (size_t)(text - whole->text);
}

static void assert_sane(const reading *r)
{
    bool ended = r->end == NYTP_END || r->end == NYTP_CUT || r->end == NYTP_ERR_FORMAT ||
                 r->end == NYTP_ERR_UNSUPPORTED;
    assert_true(ended);
    assert_int_equal(r->error.code, r->end == NYTP_END ? NYTP_OK : r->end);
    assert_int_equal(r->error.message[0] != '\0', r->end != NYTP_END);
}

static void any_flipped_bit_is_survived(void **state)
{
    size_t count;
    const way *all = ways(&count);
    (void)state;
    for (int squeezed = 0; squeezed < 2; squeezed++) {
        memory m = sample_stream(squeezed);
        reading whole = read_bytes(m.data, m.size, plainly);
        for (size_t byte = 0; byte < m.size; byte++) {
            size_t before = squeezed ? 0 : text_before(&m, &whole, byte);
            for (int bit = 0; bit < 8; bit++) {
                const way *how = &all[(byte + (size_t)bit) % count];
                m.data[byte] ^= (unsigned char)(1 << bit);
                reading r = read_bytes(m.data, m.size, *how);
                m.data[byte] ^= (unsigned char)(1 << bit);
                assert_sane(&r);
                assert_true(r.length >= before);
                assert_memory_equal(r.text, whole.text, before);
                reading_free(&r);
            }
        }
        reading_free(&whole);
        memory_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(bad_chunks_are_reported),
        cmocka_unit_test(a_line_without_an_end_is_reported),
        cmocka_unit_test(other_nv_sizes_are_refused),
        cmocka_unit_test(senseless_lines_are_skipped_with_a_warning),
        cmocka_unit_test(offsets_count_the_inflated_bytes),
        cmocka_unit_test(bad_compressed_data_is_reported),
        cmocka_unit_test(errors_of_the_source_are_passed_on),
        cmocka_unit_test(any_flipped_bit_is_survived),
    };
    return cmocka_run_group_tests_name("corrupt", tests, NULL, NULL);
}
