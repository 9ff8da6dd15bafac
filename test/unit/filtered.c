#include "test/unit/filtered.h"

#include "lib/format/tags.h"
#include "test/unit/chunk_text.h"
#include "test/unit/support.h"

#include <stdlib.h>
#include <string.h>

char *text_of_filtered(const nytp_filter_options *options, const nytp_chunk *chunks, size_t count,
                       uint32_t tags, chunk_print_fn *print)
{
    static const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}};
    nytp_chunk all[64] = {version};
    char *text;
    size_t length;
    nytp_chunk chunk;
    assert_true(count < COUNT(all));
    memcpy(all + 1, chunks, count * sizeof *chunks);
    memory m = stream_of(all, count + 1);
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(m.data, m.size, "p.out"));
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(nytp_filters_attach(options, reader), 0);
    nytp_reader_set_tags(reader, tags);
    while (nytp_reader_next(reader, &chunk) == NYTP_OK)
        print(out, &chunk);
    fclose(out);
    nytp_reader_free(reader);
    free(m.data);
    return text;
}

char *text_of_left(const nytp_filter_options *options, const nytp_chunk *chunks, size_t count)
{
    return text_of_filtered(options, chunks, count, NYTP_ALL_TAGS & ~nytp_tag_bit(NYTP_VERSION), chunk_print);
}

void chunks_are_left(const nytp_filter_options *options, const nytp_chunk *chunks, size_t count,
                     const nytp_chunk *left, size_t left_count)
{
    char *expected, *got = text_of_left(options, chunks, count);
    size_t length;
    FILE *out = open_memstream(&expected, &length);
    for (size_t i = 0; i < left_count; i++)
        chunk_print(out, &left[i]);
    fclose(out);
    assert_string_equal(got, expected);
    free(got);
    free(expected);
}
