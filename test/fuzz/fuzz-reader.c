/* The bytes of a file: the chunks and the end must not depend on how they are read. */
#include "test/fuzz/fuzz.h"
#include "test/unit/support.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count;
    const way *all = ways(&count), *how = &all[size % count];
    reading plain = read_bytes(data, size, (way){0, NYTP_THREADS_NEVER, NYTP_INFLATE_ZLIB});
    reading other = read_bytes(data, size, *how);
    /* isa-l reads further ahead, and a distance that leads to before the beginning gives it zeros. */
    bool damaged = strstr(plain.error.message, "bad compressed data") ||
                   strstr(other.error.message, "bad compressed data");
    if (how->with == NYTP_INFLATE_ZLIB || !damaged) {
        must(plain.end == other.end);
        must(strcmp(plain.text, other.text) == 0);
        must(strcmp(plain.error.message, other.error.message) == 0);
    }
    must(plain.error.code == (plain.end == NYTP_END ? NYTP_OK : plain.end));
    reading_free(&plain);
    reading_free(&other);
    return 0;
}
