#include "view.h"

#include "base/str.h"
#include "export/amount.h"
#include "model/grow.h"

#include <math.h>
#include <string.h>

typedef struct merged {
    FILE *out;
    dprofpp_time_format format;
    GString *indent;
    GArray *ends; /* gsize, by depth: the length of the indentation */
} merged;

static gsize indent_length(const merged *m, uint32_t depth)
{
    return depth > 0 ? g_array_index(m->ends, gsize, MIN(depth, m->ends->len) - 1) : 0;
}

/* Sets the indentation of the lines below this one. */
static void indent_below(merged *m, const dprofpp_options *o, const dprofpp_branch *b)
{
    if (b->depth >= DPROFPP_DEEPEST)
        return;
    g_string_truncate(m->indent, indent_length(m, b->depth));
    g_string_append(m->indent, !o->unicode || b->depth == 0 ? "  " : b->last ? "   " : "│  ");
    g_array_set_size(m->ends, b->depth);
    g_array_append_val(m->ends, m->indent->len);
}

static const char *color_of(const dprofpp_view *v, const nytp_node *node)
{
    double share = v->total_ticks > 0 ? node->incl_ticks / v->total_ticks : 0;
    return share >= 0.5 ? "\033[1;31m" : share >= 0.1 ? "\033[33m" : share >= 0.01 ? "" : "\033[2m";
}

static void write_text(FILE *out, const char *text)
{
    fwrite_unlocked(text, 1, strlen(text), out);
}

static void write_name(const merged *m, const dprofpp_view *v, const nytp_node *node)
{
    nytp_str name = nytp_names_get(v->names, node->sub);
    const char *color = v->options->color ? color_of(v, node) : "";
    write_text(m->out, color);
    fwrite_unlocked(name.bytes, 1, name.length, m->out);
    if (*color != '\0')
        write_text(m->out, "\033[0m");
}

/* Returns the time of the callees of a node: the sum of the times on the lines of its children, which are
 * never below zero. In a tree of callers, children are not callees; there it is the inclusive time less the
 * exclusive time. */
static double called_ticks(const dprofpp_view *v, uint32_t number)
{
    const nytp_node *node = &v->tree->nodes[number];
    if (v->options->callers != NULL)
        return node->incl_ticks - node->excl_ticks;
    double sum = 0;
    for (uint32_t n = nytp_stacktree_first(v->tree, number); n != 0;
         n = nytp_stacktree_next(v->tree, number, n))
        sum += fmax(v->tree->nodes[n].incl_ticks, 0);
    return sum;
}

/* Writes a time like nytp_number_write(). A negative one is written as 0: the overhead was overestimated, or
 * the clock stepped back. */
static size_t write_time(char *text, const dprofpp_time_format *format, double ticks)
{
    return nytp_number_write(text, ticks > 0 ? ticks / format->unit_ticks : 0, format->decimals);
}

/* "; itself WORK work, ASLEEP asleep (by names)" */
static void write_parts(const merged *m, const dprofpp_view *v, const nytp_node *node)
{
    const dprofpp_columns *columns = &v->options->columns;
    for (unsigned i = 0; i < columns->count; i++) {
        const double ticks = dprofpp_part_ticks(v, node->excl_ticks, node->waited, columns->of[i]);
        char text[NYTP_NUMBER_MAX + 1];
        text[write_time(text, &m->format, ticks)] = '\0';
        const bool by_names = columns->of[i] == DPROFPP_ASLEEP && !nytp_sub_waits_are_measured(v->waits);
        fprintf(m->out, "%s %s%s %s%s", i == 0 ? "; itself" : ",", ticks < 0 ? "-" : text,
                ticks < 0 ? "" : m->format.unit, dprofpp_column_names[columns->of[i]],
                by_names ? " (by names)" : "");
    }
}

/* " x CALLS  TAB TIME = (EXCLUSIVE + REST)" */
static void write_numbers(const merged *m, const dprofpp_view *v, uint32_t number)
{
    const dprofpp_time_format *f = &m->format;
    const nytp_node *node = &v->tree->nodes[number];
    double rest_ticks = called_ticks(v, number);
    char text[3 * NYTP_NUMBER_MAX + 100], *to = text;
    to = stpcpy(to, " x ");
    to = nytp_put_decimal(to, node->calls);
    to = stpcpy(to, "  \t");
    to += write_time(to, f, node->incl_ticks);
    to = stpcpy(to, f->unit);
    if (v->options->callers != NULL ? rest_ticks > 0 : node->children.last != 0) {
        to = stpcpy(to, " = (");
        to += write_time(to, f, node->incl_ticks - rest_ticks);
        to = stpcpy(to, " + ");
        to += write_time(to, f, rest_ticks);
        *to++ = ')';
        to = stpcpy(to, f->unit);
    }
    fwrite_unlocked(text, 1, (size_t)(to - text), m->out);
}

static void write_line(void *context, const dprofpp_view *v, const dprofpp_branch *b)
{
    merged *m = context;
    const nytp_node *node = &v->tree->nodes[b->node];
    fwrite_unlocked(m->indent->str, 1, indent_length(m, b->depth), m->out);
    if (b->depth > DPROFPP_DEEPEST)
        fprintf(m->out, "[%u deep] ", b->depth);
    else if (v->options->unicode && b->depth > 0)
        write_text(m->out, b->last ? "└─ " : "├─ ");
    write_name(m, v, node);
    write_numbers(m, v, b->node);
    write_parts(m, v, node);
    putc_unlocked('\n', m->out);
    indent_below(m, v->options, b);
}

void dprofpp_merged_write(const dprofpp_view *view, FILE *out)
{
    merged m = {out, dprofpp_time_format_of(view), g_string_new(NULL), NYTP_ARRAY(gsize)};
    dprofpp_branches_visit(view, write_line, &m);
    g_string_free(m.indent, TRUE);
    g_array_free(m.ends, TRUE);
}
