/* The text is written during the walk, because it may be too large for memory. */
#include "json.h"

#include "export/json.h"
#include "branches.h"

typedef struct json {
    FILE *out;
    uint32_t open; /* how many objects are not closed, with the previous sibling of the next one */
} json;

/* Closes the objects at depth and deeper. */
static void close_to(json *j, uint32_t depth)
{
    for (; j->open > depth; j->open--)
        fputs("]}", j->out);
}

static void write_object(void *context, const tree_view *v, const tree_branch *b)
{
    json *j = context;
    const nytp_node *node = &v->tree->nodes[b->node];
    bool sibling = j->open > b->depth;
    close_to(j, b->depth);
    fputs(sibling ? ",\n" : "\n", j->out);
    fputs("{\"name\": ", j->out);
    nytp_json_string(j->out, nytp_names_get(v->names, node->sub));
    fprintf(j->out, ", \"%s\": %llu, \"inclusive_ticks\": %.17g, \"exclusive_ticks\": %.17g, \"children\": [",
            v->sampled_hz > 0 ? "samples" : "calls", (unsigned long long)node->calls, node->incl_ticks,
            node->excl_ticks);
    j->open++;
}

void tree_json_write(const tree_view *view, FILE *out)
{
    json j = {out, 0};
    fprintf(out, "{\"ticks_per_second\": %.17g, \"total_ticks\": %.17g, \"tree\": [", view->ticks_per_s,
            view->total_ticks);
    tree_branches_visit(view, write_object, &j);
    close_to(&j, 0);
    fputs("]}\n", out);
}
