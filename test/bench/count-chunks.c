/* Says how large a profile is.
 *
 *   count-chunks FILE    prints: STATEMENTS CALLS BYTES, the bytes counted after inflating
 */
#include "nytprof.h"

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    nytp_reader *reader = argc == 2 ? nytp_reader_new(nytp_source_file(argv[1])) : NULL;
    if (reader == NULL) {
        fputs("usage: count-chunks FILE\n", stderr);
        return 2;
    }
    nytp_chunk chunk = {0};
    uint64_t statements = 0, calls = 0;
    int rc;
    while ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK) {
        statements += chunk.tag == NYTP_TIME_LINE || chunk.tag == NYTP_TIME_BLOCK;
        calls += chunk.tag == NYTP_SUB_RETURN;
    }
    if (rc == NYTP_END)
        printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", statements, calls, chunk.offset);
    else
        fprintf(stderr, "count-chunks: %s\n", nytp_reader_error(reader)->message);
    nytp_reader_free(reader);
    return rc == NYTP_END ? 0 : 1;
}
