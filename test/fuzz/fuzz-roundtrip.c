/* The writer writes every chunk that the reader returns, and the reader then returns the same. */
#include "test/fuzz/fuzz.h"
#include "test/unit/support.h"

#include <string.h>

static void copy(void *writer, const nytp_chunk *chunk)
{
    must(nytp_writer_chunk(writer, chunk) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memory copied = {0};
    nytp_writer *writer = nytp_writer_new(nytp_sink_callback(memory_write, &copied, "copy"), 1);
    fuzz_read_chunks(data, size, NYTP_ALL_TAGS, copy, writer);
    reading before = read_bytes(data, size, plainly);
    if (before.chunks > 0 &&
        *data == 'N') { /* a tmon.out has names of entered subs, for which a nytprof.out has no field */
        must(nytp_writer_finish(writer) == 0);
        reading after = read_bytes(copied.data, copied.size, plainly);
        must(strcmp(before.text, after.text) == 0);
        must(after.end == NYTP_END || after.end == NYTP_CUT);
        reading_free(&after);
    }
    nytp_writer_free(writer);
    reading_free(&before);
    memory_free(&copied);
    return 0;
}
