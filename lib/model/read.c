/* Reads a profile. */
#include "model/read.h"

#include "format/runs.h"
#include "model/profile.h"

static inline void add_statement(void *context, nytp_statement s)
{
    nytp_statements_add(context, s);
}

/* Adds the consecutive statements that the reader has buffered. Returns their size in bytes. Not inlined, so
 * that the loop has all registers. */
static __attribute__((noinline)) size_t read_statements(nytp_profile *profile, nytp_reader *reader)
{
    if (!nytp_profile_reads_runs(profile))
        return 0;
    nytp_statements to = nytp_profile_statements(profile);
    size_t bytes = nytp_read_events(reader, add_statement, NULL, &to);
    profile->statement_ticks += to.ticks;
    return bytes;
}

int nytp_profile_read(nytp_profile *profile, nytp_reader *reader)
{
    enum { SOME = 1 << 16, CHUNK = 8 }; /* bytes, about */
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t bytes = 0; rc == NYTP_OK && bytes < SOME; bytes += CHUNK) {
        bytes += read_statements(profile, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            nytp_profile_add(profile, &chunk);
    }
    return rc;
}
