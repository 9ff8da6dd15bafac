/* Reads a profile and its call tree at once. */
#include "calls/calltree.h"
#include "format/fastpath.h"
#include "model/profile.h"
#include "model/read.h"

/* The tree gets the sum. An observer gets the first statement after a return alone. */
static size_t read_statements(nytp_profile *profile, nytp_calltree *tree, nytp_reader *reader)
{
    if (tree->has_returned && tree->observer != NULL)
        return 0;
    const int64_t before = profile->statement_ticks;
    size_t bytes = nytp_profile_read_statements(profile, reader);
    if (bytes > 0)
        nytp_calltree_add_statements(tree, (double)(profile->statement_ticks - before));
    return bytes;
}

int nytp_profile_read_with_calls(nytp_profile *profile, nytp_calltree *tree, nytp_reader *reader)
{
    enum { SOME = 1 << 13 };
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t n = 0; rc == NYTP_OK && n < SOME; n++) {
        if (tree->is_sampled)
            nytp_want_samples(reader);
        else
            n += read_statements(profile, tree, reader) / NYTP_SHORT_STATEMENT_MAX;
        if (profile->origin == 0)
            n += nytp_calltree_read_returns(tree, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK) {
            nytp_profile_add(profile, &chunk);
            nytp_calltree_add(tree, &chunk);
        }
    }
    return rc;
}
