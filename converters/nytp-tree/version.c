#include "version.h"

#include "base/str.h"
#include "cli/output.h"
#include "model/names.h"
#include "nytprof.h"

#include <glib.h>
#include <stdio.h>
#include <unistd.h>

static bool is_xs_version(const nytp_chunk *chunk)
{
    static const char *const keys[] = {"dprof_XS_VERSION", "xs_version"};
    nytp_str key = chunk->attribute.key;
    for (size_t i = 0; chunk->tag == NYTP_ATTRIBUTE && i < G_N_ELEMENTS(keys); i++)
        if (nytp_str_is(key, keys[i]))
            return true;
    return false;
}

static void print_profiler(nytp_reader *reader)
{
    nytp_chunk chunk;
    while (nytp_reader_next(reader, &chunk) == NYTP_OK && chunk.tag != NYTP_PID_START) {
        if (is_xs_version(&chunk)) {
            char *version = nytp_name_clean(chunk.attribute.value);
            printf("XS_VERSION: %s\n", version);
            g_free(version);
        }
    }
}

int tree_version_print(const char *path)
{
    printf("nytp-tree %s\n", NYTP_VERSION_STRING);
    nytp_reader *reader = access(path, F_OK) == 0 ? nytp_reader_new(nytp_source_file(path)) : NULL;
    if (reader != NULL)
        print_profiler(reader);
    nytp_reader_free(reader);
    return nytp_flush_stdout();
}
