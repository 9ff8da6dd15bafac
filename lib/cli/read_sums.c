#include "cli/read.h"

#include "bytes/source.h"
#include "calls/derive_arcs.h"
#include "format/tags.h"
#include "model/profile.h"

#include <string.h>
#include <sys/stat.h>

bool nytp_can_be_read_again(const char *path)
{
    struct stat st;
    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool nytp_read_skip(nytp_reader *reader, size_t profiles)
{
    nytp_chunk ignored;
    int rc = NYTP_OK;
    for (; rc == NYTP_OK && profiles > 0; profiles--) {
        nytp_reader_set_tags(reader, 0);
        while (nytp_reader_next(reader, &ignored) == NYTP_OK) {
        }
        rc = nytp_reader_next_profile(reader, NULL);
    }
    return rc == NYTP_OK;
}

void nytp_read_sums(const char *path, const nytp_common_options *options, nytp_part_of_file part,
                    nytp_profile *calls)
{
    nytp_common_options with_sums = *options;
    with_sums.filters.sums = nytp_sum_calls_new();
    nytp_reader *reader =
        nytp_read_open(nytp_source_first(nytp_source_file(path), part.bytes), &with_sums, 0);
    if (reader == NULL)
        return;
    if (nytp_read_skip(reader, part.profiles)) {
        nytp_chunk chunk;
        nytp_reader_set_tags(reader, NYTP_BIT(SUB_CALLERS) | NYTP_BIT(ATTRIBUTE));
        while (nytp_reader_next(reader, &chunk) == NYTP_OK)
            nytp_profile_add(calls, &chunk);
    }
    nytp_reader_free(reader);
}
