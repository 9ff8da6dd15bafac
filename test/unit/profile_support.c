#include "test/unit/profile_support.h"

#include <stdlib.h>
#include <string.h>

nytp_profile *profile_of(const nytp_chunk *chunks, size_t count)
{
    nytp_chunk *all = calloc(count + 3, sizeof *all), chunk;
    all[0] = (nytp_chunk){.tag = NYTP_VERSION, .version = {5, 0}};
    all[1] = (nytp_chunk){.tag = NYTP_PID_START, .pid_start = {7, 1, 1.5}};
    memcpy(all + 2, chunks, count * sizeof *all);
    all[count + 2] = (nytp_chunk){.tag = NYTP_PID_END, .pid_end = {7, 2.5}};
    memory stream = stream_of(all, count + 3);
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(stream.data, stream.size, "built"));
    nytp_profile *profile = nytp_profile_new();
    nytp_reader_set_tags(reader, nytp_profile_tags());
    while (nytp_reader_next(reader, &chunk) == NYTP_OK)
        nytp_profile_add(profile, &chunk);
    assert_int_equal(nytp_reader_next(reader, &chunk), NYTP_END);
    nytp_reader_free(reader);
    memory_free(&stream);
    free(all);
    return profile;
}
