/* Reads a profile. */
#include "model/read.h"

#include "format/runs.h"
#include "model/profile.h"

typedef struct adding {
    nytp_lines *lines;
    nytp_line_slot *slots;
    nytp_level_slot *level_slots;
    int64_t ticks;
} adding;

static inline void add_statement(void *context, nytp_statement s)
{
    adding *a = context;
    a->ticks += s.ticks;
    if (s.has_block && a->level_slots != NULL)
        nytp_lines_add_level(a->lines, a->level_slots, s);
    else
        nytp_lines_add(a->lines, a->slots, s);
}

/* Not inlined, so that the loop has all registers. */
__attribute__((noinline)) size_t nytp_profile_read_statements(nytp_profile *profile, nytp_reader *reader)
{
    if (profile->discount || profile->origin != 0)
        return 0;
    adding a = {profile->lines, profile->lines->slots, profile->lines->level_slots, 0};
    size_t bytes = nytp_read_statements(reader, add_statement, &a);
    profile->statement_ticks += a.ticks;
    return bytes;
}

int nytp_profile_read(nytp_profile *profile, nytp_reader *reader)
{
    enum { SOME = 1 << 16, CHUNK = 8 }; /* bytes, about */
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t bytes = 0; rc == NYTP_OK && bytes < SOME; bytes += CHUNK) {
        bytes += nytp_profile_read_statements(profile, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            nytp_profile_add(profile, &chunk);
    }
    return rc;
}
