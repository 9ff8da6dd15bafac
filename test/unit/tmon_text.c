#include "test/unit/tmon_text.h"
#include "test/unit/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *tmon_calls(nytp_reader *reader)
{
    char *text = NULL;
    size_t length;
    nytp_chunk chunk;
    FILE *out = open_memstream(&text, &length);
    while (nytp_reader_next(reader, &chunk) == NYTP_OK) {
        if (chunk.tag == NYTP_SUB_ENTRY)
            fprintf(out, "> %.*s\n", (int)chunk.sub_entry.name.length, chunk.sub_entry.name.bytes);
        else if (chunk.tag == NYTP_SUB_RETURN)
            fprintf(out, "< %u %.17g %.17g %.*s\n", chunk.sub_return.depth, chunk.sub_return.incl_ticks,
                    chunk.sub_return.excl_ticks, (int)chunk.sub_return.name.length,
                    chunk.sub_return.name.bytes);
    }
    fclose(out);
    return text;
}

void assert_calls(nytp_dprof_options options, const char *tmon, const char *expected)
{
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(tmon, strlen(tmon), "p.out"));
    nytp_reader_set_dprof(reader, &options);
    char *text = tmon_calls(reader);
    assert_string_equal(nytp_reader_error(reader)->message, "");
    assert_string_equal(text, expected);
    nytp_reader_free(reader);
    free(text);
}
