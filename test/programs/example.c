/* Prints who calls what in a profile: calls, inclusive seconds, caller and callee. */
#include <nytprof.h>

int main(int argc, char **argv)
{
    nytp_reader *reader = nytp_reader_new(nytp_source_file(argc > 1 ? argv[1] : "nytprof.out"));
    nytp_chunk chunk;
    int rc;
    if (reader == NULL)
        return 1;
    while ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
        if (chunk.tag == NYTP_SUB_CALLERS && chunk.sub_callers.count > 0)
            printf("%u %.6f %.*s -> %.*s\n", chunk.sub_callers.count, chunk.sub_callers.incl_s,
                   (int)chunk.sub_callers.caller.length, chunk.sub_callers.caller.bytes,
                   (int)chunk.sub_callers.called.length, chunk.sub_callers.called.bytes);
    if (rc != NYTP_END)
        fprintf(stderr, "%s\n", nytp_reader_error(reader)->message);
    nytp_reader_free(reader);
    return rc < 0;
}
