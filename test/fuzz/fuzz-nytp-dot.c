/* A profile through nytp-dot. The last byte chooses the options. */
#include "converters/nytp-dot/build.h"
#include "converters/nytp-dot/draw.h"
#include "test/fuzz/fuzz.h"

static int read_profile(void *profile, nytp_reader *reader)
{
    return nytp_profile_read(profile, reader);
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
    choose.node_threshold = choose.edge_threshold = bits & 128 ? 2 : 0;
    nytp_profile *profile = nytp_profile_new();
    fuzz_read(data, size, nytp_profile_tags(), read_profile, profile);
    dot_graph *g = dot_build(profile, NULL, &graph);
    char *why = dot_choose(g, &choose);
    FILE *out = fuzz_results();
    if (why == NULL)
        dot_draw(g, &draw, &choose, out);
    fclose(out);
    g_free(why);
    dot_graph_free(g);
    nytp_profile_free(profile);
    return 0;
}
