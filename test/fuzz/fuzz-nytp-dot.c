/* A profile through nytp-dot. The last byte chooses the options. */
#include "converters/nytp-dot/graph.h"
#include "converters/nytp-dot/draw.h"
#include "calls/calltree.h"
#include "calls/derive_arcs.h"
#include "test/fuzz/fuzz.h"

typedef struct both {
    nytp_profile *profile;
    nytp_calltree *tree;
} both;

static int read_both(void *context, nytp_reader *reader)
{
    const both *b = context;
    return nytp_profile_read_with_calls(b->profile, b->tree, reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bits = size > 0 ? data[size - 1] : 0;
    dot_graph_options graph = {.packages = bits & 1, .without_builtins = bits & 2};
    dot_choose_options choose = {
        .root = bits & 4 ? "Shop::row" : NULL, .depth = bits >> 3 & 1, .max_nodes = 9};
    dot_draw_options draw = {.color_by_self = bits & 16,
                             .cluster = bits & 1 ? DOT_CLUSTER_NONE : bits >> 5 & 1};
    draw.url = bits & 64 ? "x:{sub}{package}{file}#{line}" : NULL;
    choose.min.percent = choose.min_edge.percent = bits & 128 ? 2 : 0;
    both b = {nytp_profile_new(), nytp_calltree_new(NULL, NULL)};
    const nytp_filter_options filters = fuzz_filters(data, size);
    fuzz_read_filtered(data, size, &filters, nytp_profile_tags() | nytp_calltree_tags(NULL), read_both, &b);
    nytp_calltree_end_profile(b.tree);
    if (nytp_profile_lacks_arcs(b.profile, true))
        nytp_profile_complete_arcs(b.profile, b.tree);
    dot_graph *g = dot_build(b.profile, NULL, &graph);
    char *why = dot_choose(g, &choose);
    FILE *out = fuzz_results();
    if (why == NULL) {
        dot_chains_join(g);
        dot_draw(g, &draw, &choose, out);
    }
    fclose(out);
    g_free(why);
    dot_graph_free(g);
    nytp_calltree_free(b.tree);
    nytp_profile_free(b.profile);
    return 0;
}
