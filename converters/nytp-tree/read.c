#include "read.h"

#include "cli/read.h"
#include "cli/say.h"

typedef struct reading {
    tree_calls *calls;
    nytp_common_options common; /* of the current profile */
    bool strict;                /* of all profiles */
    bool force;
} reading;

/* A profile can be recognised as a tmon.out only after a process has begun. */
static int read_some(void *context, nytp_reader *reader)
{
    reading *r = context;
    int rc = tree_calls_read(r->calls, reader);
    if (tree_calls_is_dprof(r->calls) && !r->force)
        r->common.strict = true;
    return rc;
}

static bool end_profile(void *context)
{
    reading *r = context;
    tree_calls_end_profile(r->calls);
    r->common.strict = r->strict;
    return true;
}

int tree_read(tree_calls *c, const nytp_operands *files, const nytp_common_options *common, bool force)
{
    for (int i = 0; i < files->count; i++) {
        reading r = {c, *common, common->strict, force};
        const nytp_read_handler handler = {.wanted = tree_calls_wanted(c),
                                           .read_some = read_some,
                                           .end_profile = end_profile,
                                           .context = &r};
        if (nytp_read(files->names[i], &r.common, &handler) < 0)
            return -1;
    }
    if (tree_calls_count(c) == 0)
        nytp_warn_no_calls();
    else if (common->verbose)
        nytp_say("%s", nytp_counted(tree_calls_count(c), "call").text);
    return 0;
}
