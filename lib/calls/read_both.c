/* Reads a profile and its call tree at once. */
#include "calls/calltree.h"
#include "format/runs.h"
#include "model/read.h"

typedef struct both {
    nytp_statements statements;
    nytp_calltree *tree;
    int64_t given_ticks; /* how much of the statements' ticks the tree has */
    bool gives_next;     /* the next statement is the first after a return, and the tree has an observer */
} both;

static void give_statements(both *b)
{
    nytp_calltree_add_statements(b->tree, (double)(b->statements.ticks - b->given_ticks));
    b->given_ticks = b->statements.ticks;
    b->gives_next = false;
}

/* An observer gets the first statement after a return alone, and those after it by their sum. */
static inline void add_statement(void *context, nytp_statement s)
{
    both *b = context;
    nytp_statements_add(&b->statements, s);
    if (b->gives_next)
        give_statements(b);
}

static inline void add_return(void *context, const nytp_return *returned)
{
    both *b = context;
    if (b->tree->observer != NULL) {
        if (b->given_ticks != b->statements.ticks)
            give_statements(b);
        b->gives_next = true;
    }
    nytp_calltree_add_return(b->tree, nytp_calltree_sub(b->tree, &returned->name), returned->depth,
                             returned->excl_ticks, nytp_calltree_leaves_out(b->tree, returned->name));
}

/* Returns about how many chunks it has read. Not inlined, so that the loop has all registers. */
static __attribute__((noinline)) size_t read_events(nytp_profile *profile, nytp_calltree *tree,
                                                    nytp_reader *reader)
{
    if (!nytp_profile_reads_runs(profile))
        return 0;
    both b = {nytp_profile_statements(profile), tree, 0, tree->has_returned && tree->observer != NULL};
    size_t bytes = nytp_read_events(reader, add_statement, add_return, &b);
    if (b.given_ticks != b.statements.ticks)
        give_statements(&b);
    profile->statement_ticks += b.statements.ticks;
    return bytes / NYTP_SHORT_STATEMENT_MAX;
}

/* In a profile made of samples each statement is counted for the calls that go on, so nytp_reader_next()
 * delivers it. */
static size_t read_returns(const nytp_profile *profile, nytp_calltree *tree, nytp_reader *reader)
{
    return nytp_profile_reads_runs(profile) ? nytp_calltree_read_returns(tree, reader) : 0;
}

int nytp_profile_read_with_calls(nytp_profile *profile, nytp_calltree *tree, nytp_reader *reader)
{
    enum { SOME = 1 << 13 };
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t n = 0; rc == NYTP_OK && n < SOME; n++) {
        if (tree->is_sampled)
            nytp_want_samples(reader);
        n += tree->is_sampled ? read_returns(profile, tree, reader) : read_events(profile, tree, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK) {
            nytp_profile_add(profile, &chunk);
            nytp_calltree_add(tree, &chunk);
        }
    }
    return rc;
}
