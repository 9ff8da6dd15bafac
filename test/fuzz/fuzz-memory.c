/* The memory of a profile of time (lib/memory): its views. The last byte chooses which. What is written must
 * be a profile that can be read. */
#include "memory/view.h"
#include "test/fuzz/fuzz.h"

#include <string.h>

static const char *const views[] = {"live", "peak",      "alloc",     "temporary",   "at=1ms",
                                    "at=A", "grown=A..", "grown=..B", "grown=1ms..", "grown=A..end"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t which = size > 0 ? data[size - 1] : 0;
    nytp_memory_view view;
    nytp_error error = {0};
    nytp_chunk chunk;
    int rc;
    must(nytp_memory_view_read(views[which % (sizeof views / sizeof *views)], &view) == NULL);
    nytp_filter_options filters = {.begin_s = which};
    if (which % 2 != 0)
        must(nytp_stretch_read("0.1..250ms", &filters.range) == NULL);
    nytp_reader *time = fuzz_reader(data, size, NYTP_ALL_TAGS);
    nytp_source *source = nytp_memory_view_source(time, &view, &filters, "fuzz", &error);
    nytp_reader_free(time);
    must((source == NULL) == (error.code != 0));
    if (source == NULL)
        return 0;
    nytp_reader *memory = nytp_reader_new(source);
    must(memory != NULL);
    while ((rc = nytp_reader_next(memory, &chunk)) == NYTP_OK) {
    }
    must(rc == NYTP_END || rc == NYTP_CUT);
    must(nytp_reader_warnings(memory, NULL) == 0);
    nytp_reader_free(memory);
    return 0;
}
