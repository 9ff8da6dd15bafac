/* The tree of stacks as text, a line each. */
#include "calls.h"

#include <math.h>
#include <string.h>

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

static void write_text(FILE *out, const char *text)
{
    fwrite_unlocked(text, 1, strlen(text), out);
}

static void write_name(const merged *m, const call_stacks *s, const nytp_node *node)
{
    nytp_str name = nytp_names_get(s->names, node->sub);
    const char *color = s->options->color ? color_of(s, node) : "";
    write_text(m->out, color);
    fwrite_unlocked(name.bytes, 1, name.length, m->out);
    if (*color != '\0')
        write_text(m->out, "\033[0m");
}

/* The time of what a node called: the sum of its children's lines, of which none tells less than zero. In a
 * tree of callers, where children are no callees, what is not its own. */
static double called_ticks(const call_stacks *s, uint32_t number)
{
    const nytp_node *node = &s->tree->nodes[number];
    if (s->options->callers != NULL)
        return node->incl_ticks - node->excl_ticks;
    double sum = 0;
    for (uint32_t n = nytp_stacktree_first(s->tree, number); n != 0;
         n = nytp_stacktree_next(s->tree, number, n))
        sum += fmax(s->tree->nodes[n].incl_ticks, 0);
    return sum;
}

/* " x CALLS  TAB TIME = (EXCLUSIVE + REST)" */
static void write_numbers(const merged *m, const call_stacks *s, uint32_t number)
{
    const time_format *f = &m->format;
    const nytp_node *node = &s->tree->nodes[number];
    double rest_ticks = called_ticks(s, number);
    char text[3 * TIME_ROOM + 100], *to = text;
    to = stpcpy(to, " x ");
    to += count_write(to, node->calls);
    to = stpcpy(to, "  \t");
    to += time_write(to, f, node->incl_ticks);
    to = stpcpy(to, f->unit);
    if (s->options->callers != NULL ? rest_ticks > 0 : node->children.last != 0) {
        to = stpcpy(to, " = (");
        to += time_write(to, f, node->incl_ticks - rest_ticks);
        to = stpcpy(to, " + ");
        to += time_write(to, f, rest_ticks);
        *to++ = ')';
        to = stpcpy(to, f->unit);
    }
    *to++ = '\n';
    fwrite_unlocked(text, 1, (size_t)(to - text), m->out);
}

static void write_line(void *context, const call_stacks *s, const branch *b)
{
    merged *m = context;
    const nytp_node *node = &s->tree->nodes[b->node];
    fwrite_unlocked(m->indent->str, 1, indent_length(m, b->depth), m->out);
    if (b->depth > DEEPEST_INDENT)
        fprintf(m->out, "[%u deep] ", b->depth);
    else if (s->options->unicode && b->depth > 0)
        write_text(m->out, b->last ? "└─ " : "├─ ");
    write_name(m, s, node);
    write_numbers(m, s, b->node);
    indent_below(m, s->options, b);
}

void merged_write(const call_stacks *stacks, FILE *out)
{
    merged m = {out, time_format_of(stacks), g_string_new(NULL), g_array_new(FALSE, FALSE, sizeof(gsize))};
    branches_visit(stacks, write_line, &m);
    g_string_free(m.indent, TRUE);
    g_array_free(m.ends, TRUE);
}
