/* A tmon.out after its first line, read at once and in pieces. The last byte chooses the options.
 */
#include "test/fuzz/fuzz.h"
#include "test/unit/support.h"

#include <string.h>

static reading read_tmon(const memory *tmon, size_t most)
{
    uint8_t bits = tmon->data[tmon->size - 1];
    nytp_dprof_options options = {
        .clock = (enum nytp_clock)(bits & 3), .with_overhead = bits & 4, .number_anons = bits & 8};
    nasty n = {.data = tmon->data, .left = tmon->size, .most = most, .random = tmon->size};
    nytp_reader *reader = nytp_reader_new(nytp_source_callback(nasty_read, &n, "tmon.out"));
    nytp_reader_set_dprof(reader, &options);
    return read_to_end(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char first_line[] = "#fOrTyTwO\n";
    size_t length = sizeof first_line - 1;
    memory tmon = {0};
    if (size < length || memcmp(data, first_line, length) != 0)
        memory_add(&tmon, first_line, length);
    memory_add(&tmon, (const char *)data, size);
    reading whole = read_tmon(&tmon, SIZE_MAX), pieces = read_tmon(&tmon, 1 + size % 9);
    must(strcmp(whole.text, pieces.text) == 0);
    must(whole.end == pieces.end && strcmp(whole.error.message, pieces.error.message) == 0);
    reading_free(&whole);
    reading_free(&pieces);
    memory_free(&tmon);
    return 0;
}
