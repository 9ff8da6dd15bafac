/* The tree of stacks as JSON. Written as it is walked, for it may be larger than memory would hold twice. */
#include "calls.h"

typedef struct json {
    FILE *out;
    uint32_t open; /* objects; of the next one's siblings the last is still open, too */
} json;

/* Names have no control characters and are valid UTF-8 already. */
static void write_string(FILE *out, nytp_str s)
{
    fputc('"', out);
    for (size_t i = 0; i < s.length; i++) {
        if (s.bytes[i] == '"' || s.bytes[i] == '\\')
            fputc('\\', out);
        fputc(s.bytes[i], out);
    }
    fputc('"', out);
}

/* Objects at depth and deeper. */
static void close_to(json *j, uint32_t depth)
{
    for (; j->open > depth; j->open--)
        fputs("]}", j->out);
}

static void write_object(void *context, const call_stacks *s, const branch *b)
{
    json *j = context;
    const nytp_node *node = &s->tree->nodes[b->node];
    bool sibling = j->open > b->depth;
    close_to(j, b->depth);
    fputs(sibling ? ",\n" : "\n", j->out);
    fputs("{\"name\": ", j->out);
    write_string(j->out, nytp_names_get(s->names, node->sub));
    fprintf(j->out,
            ", \"calls\": %llu, \"inclusive_ticks\": %.17g, \"exclusive_ticks\": %.17g, \"children\": [",
            (unsigned long long)node->calls, node->incl_ticks, node->excl_ticks);
    j->open++;
}

void json_write(const call_stacks *stacks, FILE *out)
{
    json j = {out, 0};
    fprintf(out, "{\"ticks_per_second\": %.17g, \"total_ticks\": %.17g, \"tree\": [", stacks->ticks_per_s,
            stacks->total_ticks);
    branches_visit(stacks, write_object, &j);
    close_to(&j, 0);
    fputs("]}\n", out);
}
