/* Prints every chunk of a profile as a line; chunk_text.h says how. */
#include "test/unit/chunk_text.h"

int main(int argc, char **argv)
{
    nytp_chunk chunk;
    int rc;
    if (argc != 2) {
        fputs("usage: dump-chunks FILE\n", stderr);
        return 2;
    }
    nytp_reader *reader = nytp_reader_new(nytp_source_file(argv[1]));
    if (reader == NULL) {
        fputs("dump-chunks: out of memory\n", stderr);
        return 1;
    }
    while ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
        chunk_print(stdout, &chunk);
    if (rc != NYTP_END)
        fprintf(stderr, "dump-chunks: %s\n", nytp_reader_error(reader)->message);
    nytp_reader_free(reader);
    return rc == NYTP_END ? 0 : 1;
}
