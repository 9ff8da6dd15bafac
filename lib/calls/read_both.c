/* Reads a profile and its call tree at once. */
#include "calls/calltree.h"
#include "format/fastpath.h"
#include "model/profile.h"
#include "model/read.h"

int nytp_profile_read_with_calls(nytp_profile *profile, nytp_calltree *tree, nytp_reader *reader)
{
    enum { SOME = 1 << 13 };
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t n = 0; rc == NYTP_OK && n < SOME; n++) {
        if (tree->is_sampled)
            nytp_want_samples(reader);
        else
            n += nytp_profile_read_statements(profile, reader) / NYTP_SHORT_STATEMENT_MAX;
        if (profile->origin == 0)
            n += nytp_calltree_read_returns(tree, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK) {
            nytp_profile_add(profile, &chunk);
            nytp_calltree_add(tree, &chunk);
        }
    }
    return rc;
}
