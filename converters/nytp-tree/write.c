#include "write.h"

#include "calls/calltree.h"
#include "json.h"
#include "merged.h"
#include "base/unnamed_file.h"
#include "order.h"
#include "stacks.h"
#include "base/str.h"
#include "table.h"
#include "totals.h"

static bool *hidden_subs(const tree_calls *c, const nytp_names *names)
{
    bool *hidden = g_new0(bool, nytp_names_count(names) + 1);
    for (uint32_t i = 0; i < nytp_names_count(names); i++)
        hidden[i] = tree_naming_hides(c->naming, nytp_names_get(names, i));
    return hidden;
}

/* Returns the number of the sub with that shown name, or UINT32_MAX and *why. */
static uint32_t find_sub(const nytp_names *names, const char *name, char **why)
{
    nytp_str alike = {0};
    for (uint32_t i = 0; i < nytp_names_count(names); i++) {
        nytp_str own = nytp_names_get(names, i);
        if (nytp_str_is(own, name))
            return i;
        if (nytp_str_is_sub(own, name))
            alike = own;
    }
    *why = alike.length == 0 ? g_strdup_printf("no calls of %s in the profile", name)
                             : g_strdup_printf("no calls of %s in the profile, but of %.*s", name,
                                               (int)alike.length, alike.bytes);
    return UINT32_MAX;
}

static void write_stacks(const tree_calls *c, const tree_view *v, FILE *out)
{
    switch (c->options->form) {
    case TREE_JSON: tree_json_write(v, out); break;
    case TREE_TABLE: tree_table_write(v, &c->times, out); break;
    default: tree_merged_write(v, out); break;
    }
}

static void write_callers(const tree_calls *c, const tree_view *v, uint32_t callee, FILE *out)
{
    nytp_stacktree callers;
    tree_view turned = *v;
    nytp_stacktree_init(&callers);
    tree_stacks_of_callers(v->tree, callee, c->options->max_depth > 0 ? c->options->max_depth : UINT32_MAX,
                           c->sampled_hz > 0, &callers);
    turned.tree = &callers;
    write_stacks(c, &turned, out);
    nytp_stacktree_clear(&callers);
}

static bool shape_and_write(tree_calls *c, tree_view *v, FILE *out, char **why)
{
    const tree_options *o = c->options;
    uint32_t root = UINT32_MAX, callee = UINT32_MAX;
    if (o->root != NULL && (root = find_sub(v->names, o->root, why)) == UINT32_MAX)
        return false;
    if (o->callers != NULL && (callee = find_sub(v->names, o->callers, why)) == UINT32_MAX)
        return false;
    if (c->order != NULL) {
        int rc = tree_order_write(c->order, o, &(tree_order_subs){v->names, v->hidden, root}, out);
        if (rc != 0)
            *why = g_strdup_printf(NYTP_UNNAMED_FILE_FAILED, g_strerror(rc));
        return rc == 0;
    }
    v->tree = nytp_calltree_stacks(c->tree);
    if (c->sampled_hz > 0)
        tree_stacks_sum_samples(v->tree);
    if (root != UINT32_MAX)
        tree_stacks_root_at(v->tree, root);
    if (o->form == TREE_TABLE)
        tree_subtimes_add_stacks(&c->times, v->tree, c->sampled_hz > 0);
    else
        c->times.incl_ticks += v->tree->nodes[0].incl_ticks;
    tree_totals_set(c, v);
    if (callee != UINT32_MAX)
        write_callers(c, v, callee, out);
    else
        write_stacks(c, v, out);
    return true;
}

bool tree_write(tree_calls *c, FILE *out, char **why)
{
    const nytp_names *names = nytp_calltree_names(c->tree);
    bool *hidden = hidden_subs(c, names);
    tree_view view = {.options = c->options, .names = names, .hidden = hidden};
    bool done = shape_and_write(c, &view, out, why);
    g_free(hidden);
    return done;
}
