#include "collapse.h"

#include "base/str.h"
#include "calls/calltree.h"
#include "compare/match.h"
#include "model/grow.h"

#include <glib.h>
#include <math.h>
#include <string.h>

enum { OLD = NYTP_OLD, NEW = NYTP_NEW, SIDES = NYTP_SIDES };

/* The nodes of one stack in both trees; 0: it is missing in that one. */
typedef struct pair {
    uint32_t node[SIDES];
    uint32_t depth; /* of the stack: 0: outermost calls */
} pair;

typedef struct values {
    double of[SIDES];
} values;

typedef struct side {
    const nytp_stacktree *stacks;
    const nytp_names *names;
    nytp_str *shown;  /* by number of a name: how it is shown, for OLD as NEW calls the same sub */
    double min_ticks; /* stacks with less are folded, unless the other side has enough */
    double scale;     /* factor for values that are written */
} side;

typedef struct diff {
    const calls_options *options;
    side sides[SIDES];
    FILE *out;
    calls_path path; /* of the current stack */
    GArray *pending; /* pair, the next one last */
} diff;

static nytp_str *list_names(const nytp_names *names)
{
    nytp_str *list = g_new(nytp_str, nytp_names_count(names) + 1);
    for (uint32_t i = 0; i < nytp_names_count(names); i++)
        list[i] = nytp_names_get(names, i);
    return list;
}

/* Sets how names are shown. Anonymous subs whose lines moved get NEW's names in OLD, too. */
static void match_names(side sides[SIDES])
{
    const uint32_t old_count = nytp_names_count(sides[OLD].names);
    for (int which = OLD; which < SIDES; which++)
        sides[which].shown = list_names(sides[which].names);
    g_autofree uint32_t *new_of =
        nytp_match_lists(sides[OLD].shown, old_count, sides[NEW].shown, nytp_names_count(sides[NEW].names));
    for (uint32_t i = 0; i < old_count; i++)
        if (new_of[i] != NYTP_NO_KEY)
            sides[OLD].shown[i] = sides[NEW].shown[new_of[i]];
}

static const nytp_node *node_of(const diff *d, const pair *p, int which)
{
    return &d->sides[which].stacks->nodes[p->node[which]];
}

static nytp_str name_of(const diff *d, const pair *p)
{
    int which = p->node[OLD] != 0 ? OLD : NEW;
    return d->sides[which].shown[node_of(d, p, which)->sub];
}

static gint by_name(gconstpointer a, gconstpointer b, gpointer context)
{
    const diff *d = context;
    int order = nytp_str_order(name_of(d, a), name_of(d, b));
    return order != 0 ? order : (((const pair *)a)->node[OLD] == 0) - (((const pair *)b)->node[OLD] == 0);
}

/* Returns the children of the pair in both trees, each name once, sorted by name. */
static GArray *children_of(const diff *d, const pair *p, uint32_t depth)
{
    GArray *all = NYTP_ARRAY(pair);
    for (int which = OLD; which < SIDES; which++) {
        const nytp_stacktree *s = d->sides[which].stacks;
        if (depth > 0 && p->node[which] == 0)
            continue;
        for (uint32_t n = nytp_stacktree_first(s, p->node[which]); n != 0;
             n = nytp_stacktree_next(s, p->node[which], n)) {
            pair child = {.depth = depth};
            child.node[which] = n;
            g_array_append_val(all, child);
        }
    }
    g_array_sort_with_data(all, by_name, (gpointer)d);
    guint count = 0;
    pair *pairs = (pair *)(void *)all->data;
    for (guint i = 0; i < all->len; i++)
        if (count > 0 && pairs[i].node[OLD] == 0 && pairs[count - 1].node[NEW] == 0 &&
            nytp_str_same(name_of(d, &pairs[i]), name_of(d, &pairs[count - 1])))
            pairs[count - 1].node[NEW] = pairs[i].node[NEW];
        else
            pairs[count++] = pairs[i];
    g_array_set_size(all, count);
    return all;
}

/* Adds the exclusive time, or the calls, of the stack itself to v. */
static void add_own(const diff *d, const pair *p, values *v)
{
    for (int which = OLD; which < SIDES; which++)
        if (p->node[which] != 0) {
            const nytp_node *node = node_of(d, p, which);
            v->of[which] += d->options->count_calls ? (double)node->calls : node->excl_ticks;
        }
}

/* Adds those of the stack and of all stacks below it. */
static void add_all(const diff *d, const pair *p, values *v)
{
    g_autoptr(GArray) todo = NYTP_ARRAY(pair);
    g_array_append_val(todo, *p);
    while (todo->len > 0) {
        pair next = g_array_index(todo, pair, todo->len - 1);
        g_array_set_size(todo, todo->len - 1);
        add_own(d, &next, v);
        g_autoptr(GArray) children = children_of(d, &next, next.depth + 1);
        g_array_append_vals(todo, children->data, children->len);
    }
}

static bool is_shown(const diff *d, const pair *p)
{
    if (d->options->max_depth > 0 && p->depth >= d->options->max_depth)
        return false;
    for (int which = OLD; which < SIDES; which++)
        if (p->node[which] != 0 && !(node_of(d, p, which)->incl_ticks < d->sides[which].min_ticks))
            return true;
    return false;
}

static double rounded(const diff *d, double value)
{
    return d->options->count_calls || d->options->unit == NYTP_UNIT_TICKS ? trunc(value) : round(value);
}

static void write_line(diff *d, const values *v)
{
    double before = rounded(d, v->of[OLD] * d->sides[OLD].scale), after = rounded(d, v->of[NEW]);
    if (before == 0 && after == 0)
        return;
    fwrite(d->path.text->str, 1, d->path.text->len, d->out);
    calls_write_value(d->options, before, d->out);
    calls_write_value(d->options, after, d->out);
    putc('\n', d->out);
}

/* Adds the values of folded children to v, and puts the other children on the pending list. */
static void split_children(diff *d, const pair *p, uint32_t depth, values *v)
{
    g_autoptr(GArray) children = children_of(d, p, depth);
    for (guint i = children->len; i-- > 0;) {
        const pair *child = &g_array_index(children, pair, i);
        if (is_shown(d, child))
            g_array_append_val(d->pending, *child);
        else
            add_all(d, child, v);
    }
}

static void write_pair(diff *d, const pair *p)
{
    values v = {{0, 0}};
    calls_path_enter(&d->path, p->depth, name_of(d, p));
    add_own(d, p, &v);
    split_children(d, p, p->depth + 1, &v);
    write_line(d, &v);
}

static side side_of(calls_collapse *c)
{
    nytp_calltree *tree = calls_collapse_shaped_tree(c);
    return (side){nytp_calltree_stacks(tree), nytp_calltree_names(tree), NULL, calls_collapse_min_ticks(c),
                  1};
}

/* Returns the factor by which the sum of OLD becomes that of NEW; 1 if there is none. */
static double scale_of(calls_collapse *before, calls_collapse *after, bool count_calls)
{
    const nytp_calltree *old = calls_collapse_tree(before), *new = calls_collapse_tree(after);
    uint64_t calls;
    double ticks[SIDES];
    nytp_calltree_totals(old, &calls, &ticks[OLD]);
    nytp_calltree_totals(new, &calls, &ticks[NEW]);
    double scale = count_calls ? (double)new->counted / (double)old->counted : ticks[NEW] / ticks[OLD];
    return isfinite(scale) && scale > 0 ? scale : 1;
}

void calls_diff_write(const calls_options *options, calls_collapse *before, calls_collapse *after, bool scale,
                      FILE *out)
{
    diff d = {.options = options, .out = out};
    d.path = calls_path_new(options->kinds);
    d.pending = NYTP_ARRAY(pair);
    d.sides[OLD] = side_of(before);
    d.sides[NEW] = side_of(after);
    match_names(d.sides);
    if (scale)
        d.sides[OLD].scale = scale_of(before, after, options->count_calls);
    values other = {{0, 0}};
    split_children(&d, &(pair){{0, 0}, 0}, 0, &other);
    calls_path_enter(&d.path, 0, (nytp_str){"(other)", strlen("(other)"), false});
    write_line(&d, &other);
    while (d.pending->len > 0 && !ferror(out)) {
        pair p = g_array_index(d.pending, pair, d.pending->len - 1);
        g_array_set_size(d.pending, d.pending->len - 1);
        write_pair(&d, &p);
    }
    g_array_free(d.pending, TRUE);
    g_free(d.sides[OLD].shown);
    g_free(d.sides[NEW].shown);
    calls_path_clear(&d.path);
}
