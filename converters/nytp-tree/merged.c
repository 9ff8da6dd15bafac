/* The tree of stacks as text, a line each. */
#include "calls.h"

#include <math.h>

/* Deeper than this indentation would make the text grow with the square of the depth. */
enum { DEEPEST_INDENT = 5000 };

typedef struct merged {
    FILE *out;
    time_format format;
    GString *indent;
    GArray *ends; /* gsize: the indentation's length at each depth */
} merged;

static gsize indent_length(const merged *m, uint32_t depth)
{
    return depth > 0 ? g_array_index(m->ends, gsize, MIN(depth, m->ends->len) - 1) : 0;
}

/* What lines below this one begin with. */
static void indent_below(merged *m, const dump_options *o, const branch *b)
{
    if (b->depth >= DEEPEST_INDENT)
        return;
    g_string_truncate(m->indent, indent_length(m, b->depth));
    g_string_append(m->indent, !o->unicode || b->depth == 0 ? "  " : b->last ? "   " : "│  ");
    g_array_set_size(m->ends, b->depth);
    g_array_append_val(m->ends, m->indent->len);
}

static const char *color_of(const call_stacks *s, const nytp_node *node)
{
    double share = s->total_ticks > 0 ? node->incl_ticks / s->total_ticks : 0;
    return share >= 0.5 ? "\033[1;31m" : share >= 0.1 ? "\033[33m" : share >= 0.01 ? "" : "\033[2m";
}

static void write_name(const merged *m, const call_stacks *s, const branch *b)
{
    const nytp_node *node = &s->tree->nodes[b->node];
    nytp_str name = nytp_names_get(s->names, node->sub);
    const char *color = s->options->color ? color_of(s, node) : "";
    fputs(color, m->out);
    fwrite(name.bytes, 1, name.length, m->out);
    if (*color != '\0')
        fputs("\033[0m", m->out);
}

static void write_line(void *context, const call_stacks *s, const branch *b)
{
    merged *m = context;
    const nytp_node *node = &s->tree->nodes[b->node];
    const time_format *f = &m->format;
    double kids_ticks = node->incl_ticks - node->excl_ticks;
    fwrite(m->indent->str, 1, indent_length(m, b->depth), m->out);
    if (b->depth > DEEPEST_INDENT)
        fprintf(m->out, "[%u deep] ", b->depth);
    else if (s->options->unicode && b->depth > 0)
        fputs(b->last ? "└─ " : "├─ ", m->out);
    write_name(m, s, b);
    fprintf(m->out, " x %llu  \t%.*f%s", (unsigned long long)node->calls, f->decimals,
            shown_time(f, node->incl_ticks), f->unit);
    if (s->options->callers != NULL ? kids_ticks > 0 : node->children.last != 0)
        fprintf(m->out, " = (%.*f + %.*f)%s", f->decimals, shown_time(f, node->excl_ticks), f->decimals,
                shown_time(f, kids_ticks), f->unit);
    fputc('\n', m->out);
    indent_below(m, s->options, b);
}

void merged_write(const call_stacks *stacks, FILE *out)
{
    merged m = {out, time_format_of(stacks), g_string_new(NULL), g_array_new(FALSE, FALSE, sizeof(gsize))};
    branches_visit(stacks, write_line, &m);
    g_string_free(m.indent, TRUE);
    g_array_free(m.ends, TRUE);
}
