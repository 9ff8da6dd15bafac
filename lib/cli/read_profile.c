/* Reading into profiles and call trees.
 *
 * A process that was killed has not summed up its last calls, and a tmon.out has no sums at all. Such a
 * profile is completed from its calls. They are read with the profile if it comes from a pipe, otherwise by
 * reading the file again. What filters leave has sums of its own. */
#include "cli/read.h"

#include "bytes/source.h"
#include "calls/calltree.h"
#include "calls/derive_arcs.h"
#include "cli/say.h"

#include <string.h>

typedef struct models {
    nytp_profile *profile;
    nytp_calltree *tree;
    nytp_events *events;  /* of the profile, if it is read through filters without a tree, else NULL */
    uint64_t taken_bytes; /* of the file, so far */
} models;

static int read_models(void *context, nytp_reader *reader)
{
    models *m = context;
    uint64_t size_bytes;
    const int rc = m->events != NULL    ? nytp_events_read(m->events, reader)
                   : m->tree == NULL    ? nytp_profile_read(m->profile, reader)
                   : m->profile == NULL ? nytp_calltree_read(m->tree, reader)
                                        : nytp_profile_read_with_calls(m->profile, m->tree, reader);
    nytp_reader_position(reader, &m->taken_bytes, &size_bytes);
    return rc;
}

static bool end_calltree(void *context)
{
    nytp_calltree_end_profile(((const models *)context)->tree);
    return true;
}

int nytp_read_calltree(const char *path, const nytp_common_options *options, nytp_calltree *tree)
{
    return nytp_read(path, options,
                     &(nytp_read_handler){.tags = nytp_calltree_tags(tree),
                                          .read_some = read_models,
                                          .end_profile = end_calltree,
                                          .context = &(models){.tree = tree}});
}

/* Whether the tree can only have the calls of the profile, by the names that they have in the stream. */
static bool is_plain(const nytp_calltree *tree)
{
    return tree->calls == 0 && tree->shown == tree->raw && !tree->shows_root;
}

/* tree: with the calls of the profile alone; NULL: they have not been read. */
static void complete(const models *m, const char *path, const nytp_common_options *options,
                     nytp_calltree *tree)
{
    if (tree != NULL) {
        nytp_profile_complete_arcs(m->profile, tree);
        return;
    }
    if (!nytp_can_be_read_again(path)) {
        nytp_say("warning: %s cannot be read twice, so numbers of calls are incomplete",
                 strcmp(path, "-") == 0 ? "standard input" : path);
        return;
    }
    nytp_profile *calls = nytp_profile_new();
    nytp_read_sums(path, options, (nytp_part_of_file){0, m->taken_bytes}, calls);
    nytp_profile_complete_arcs_of(m->profile, calls);
    nytp_profile_free(calls);
}

static int read_profile(const char *path, const nytp_common_options *options, models *m)
{
    const bool is_alone = m->tree != NULL && !nytp_can_be_read_again(path) && is_plain(m->tree);
    nytp_calltree *plain = is_alone ? m->tree : NULL;
    const uint32_t all = nytp_profile_tags() | (m->tree != NULL ? nytp_calltree_tags(NULL) : 0),
                   tags = options->is_stock ? all & ~nytp_tag_bit(NYTP_COMMENT) : all;
    const int rc =
        nytp_read(path, options, &(nytp_read_handler){.tags = tags, .read_some = read_models, .context = m});
    if (m->tree != NULL)
        nytp_calltree_end_profile(m->tree);
    if (rc >= 0 && !nytp_filters_leave_out_events(&options->filters) &&
        nytp_profile_lacks_arcs(m->profile, rc == 0))
        complete(m, path, options, plain);
    return rc;
}

static int read_filtered(const char *path, const nytp_common_options *options, nytp_profile *profile)
{
    nytp_names *names = nytp_names_new();
    nytp_events *events = nytp_events_new(names);
    nytp_events_set_profile(events, profile);
    const int rc = read_profile(path, options, &(models){.profile = profile, .events = events});
    nytp_events_free(events);
    nytp_names_free(names);
    return rc;
}

int nytp_read_profile(const char *path, const nytp_common_options *options, nytp_profile *profile,
                      nytp_calltree *tree)
{
    if (tree == NULL && nytp_filters_leave_out_events(&options->filters))
        return read_filtered(path, options, profile);
    nytp_calltree *own =
        tree == NULL && !nytp_can_be_read_again(path) ? nytp_calltree_new(NULL, NULL) : NULL;
    const int rc =
        read_profile(path, options, &(models){.profile = profile, .tree = tree != NULL ? tree : own});
    nytp_calltree_free(own);
    return rc;
}
