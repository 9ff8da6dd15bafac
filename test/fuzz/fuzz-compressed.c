/* Chunks, compressed and not: the reader must return the same. */
#include "test/fuzz/fuzz.h"
#include "test/unit/support.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char header[] = "NYTProf 5 0\nz", begun[] = "START_DEFLATE\n";
    memory plain = {0}, compressed = {0};
    memory_add(&plain, header, sizeof header - 2);
    memory_add(&plain, (const char *)data, size);
    memory_add(&compressed, header, sizeof header - 1);
    memory_deflate(&compressed, data, size, size % 2 ? NYTP_DEFLATE_END : NYTP_DEFLATE_SYNC);
    reading one = read_bytes(plain.data, plain.size, plainly);
    reading two = read_bytes(compressed.data, compressed.size, plainly);
    const char *rest = strstr(two.text, begun);
    must(rest != NULL);
    if (strstr(one.text, begun) == NULL) { /* it may occur only once */
        must(strcmp(strchr(one.text, '\n') + 1, rest + sizeof begun - 1) == 0);
        must(one.end == two.end || (one.end == NYTP_END && two.end == NYTP_CUT));
    }
    reading_free(&one);
    reading_free(&two);
    memory_free(&plain);
    memory_free(&compressed);
    return 0;
}
