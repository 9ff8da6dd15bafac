/* Lines may be long, and come in small pieces. */
#include "bytes/source.h"
#include "format/reader.h"
#include "test/unit/support.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void long_lines_come_whole(void **state)
{
    char *text = malloc(3 << 20);
    memset(text, 'x', 3 << 20);
    (void)state;
    memory stream = stream_begin();
    memory_add(&stream, "#", 1);
    memory_add(&stream, text, 3 << 20);
    memory_add(&stream, "\n:key=", 6);
    memory_add(&stream, text, 1 << 20);
    memory_add(&stream, "\n", 1);
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream.data, stream.size, "p.out"));
    nytp_chunk chunk;
    nytp_reader_set_tags(reader, nytp_tag_bit(NYTP_COMMENT) | nytp_tag_bit(NYTP_ATTRIBUTE));
    assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_OK);
    assert_int_equal(chunk.comment.text.length, 3 << 20);
    assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_OK);
    assert_int_equal(chunk.attribute.key.length, 3);
    assert_int_equal(chunk.attribute.value.length, 1 << 20);
    nytp_reader_free(reader);
    memory_free(&stream);
    free(text);
}

/* Reads to the end, `most` bytes at a time. Returns the processor time that it takes. */
static double seconds(const memory *stream, size_t most)
{
    nasty n = {.data = stream->data, .left = stream->size, .most = most};
    nytp_reader *reader = nytp_reader_new(nytp_source_callback(nasty_read, &n, "p.out"));
    nytp_chunk chunk;
    const clock_t from = clock();
    while (nytp_reader_next(reader, &chunk) == NYTP_OK)
        continue;
    const clock_t to = clock();
    assert_int_equal(nytp_reader_error(reader)->code, NYTP_CUT);
    nytp_reader_free(reader);
    return (double)(to - from) / CLOCKS_PER_SEC;
}

enum { LONG_LINE = 1 << 20 };

/* Appends a line of that many bytes, which is made of the pieces. */
static void add_line(memory *stream, const char *first, const char *piece)
{
    memory_add(stream, first, strlen(first));
    for (size_t length = 0; length < LONG_LINE; length += strlen(piece))
        memory_add(stream, piece, strlen(piece));
    memory_add(stream, "\n", 1);
}

/* These would take a hundred times as long if all of the line were searched for its end after each byte. */
static void a_long_line_in_small_pieces_is_searched_once(void **state)
{
    static const char tmon[] = "#fOrTyTwO\n$hz=100;\n$XS_VERSION='20080513';\n";
    memory usual = stream_begin(), nytprof = stream_begin(), dprof = {0};
    (void)state;
    for (int i = 0; i < LONG_LINE / 8; i++)
        memory_add(&usual, "#......\n", 8);
    add_line(&nytprof, "#", "x");
    memory_add(&dprof, tmon, sizeof tmon - 1);
    add_line(&dprof, "#", "x");
    const double usual_s = seconds(&usual, 1);
    assert_true(seconds(&nytprof, 1) < 10 * usual_s);
    assert_true(seconds(&dprof, 1) < 10 * usual_s);
    memory_free(&usual);
    memory_free(&nytprof);
    memory_free(&dprof);
}

/* Each assignment is a chunk, after which reading continues within the line. */
static void a_line_of_many_assignments_is_searched_once(void **state)
{
    static const char begin[] = "#fOrTyTwO\n$hz=100;\n$XS_VERSION='20080513';\n";
    memory lines = {0}, line = {0};
    (void)state;
    memory_add(&lines, begin, sizeof begin - 1);
    memory_add(&line, begin, sizeof begin - 1);
    for (int i = 0; i < LONG_LINE / 8; i++)
        memory_add(&lines, "$abc=1;\n", 8);
    add_line(&line, "", "$abc=1; ");
    assert_true(seconds(&line, 1 << 16) < 10 * seconds(&lines, 1 << 16));
    memory_free(&lines);
    memory_free(&line);
}

/* The compressed data of the first profile end within a line that is longer than all of the second one. */
static void a_line_that_is_cut_is_not_continued_by_the_next_profile(void **state)
{
    char line[1000] = "#";
    nytp_chunk chunk;
    (void)state;
    memset(line + 1, 'x', sizeof line - 1);
    const nytp_chunk begin[] = {{.tag = NYTP_VERSION, .version = {5, 0}}};
    memory stream = stream_of(begin, COUNT(begin));
    memory_add(&stream, "z", 1);
    memory_deflate(&stream, line, sizeof line, NYTP_DEFLATE_END);
    memory_add(&stream, "NYTProf 5 0\n#short\n", 19);
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream.data, stream.size, "p.out"));
    nytp_reader_set_tags(reader, nytp_tag_bit(NYTP_COMMENT));
    assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_CUT);
    assert_int_equal(nytp_reader_next_profile(reader, NULL), NYTP_OK);
    assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_OK);
    assert_int_equal(chunk.comment.text.length, 5);
    nytp_reader_free(reader);
    memory_free(&stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_lines_come_whole),
        cmocka_unit_test(a_long_line_in_small_pieces_is_searched_once),
        cmocka_unit_test(a_line_of_many_assignments_is_searched_once),
        cmocka_unit_test(a_line_that_is_cut_is_not_continued_by_the_next_profile),
    };
    return cmocka_run_group_tests_name("lines", tests, NULL, NULL);
}
