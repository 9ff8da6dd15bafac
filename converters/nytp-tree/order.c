#include "order.h"

#include <glib.h>

/* Indenting deeper calls would make the text grow with the square of the depth. */
enum { DEEPEST_INDENT = 5000, STEP = 3 };

typedef struct writing {
    const tree_options *options;
    const tree_order_subs *subs;
    FILE *out;
    char *blanks;        /* for the deepest indentation */
    GArray *shown;       /* uint32_t, by depth: the depth at which the callees are shown */
    uint32_t root_depth; /* of the current call of the root; UINT32_MAX: none */
    /* Consecutive calls that wait to be written: of one sub, at one depth, and, except for the last one,
     * without callees. */
    uint64_t count;
    uint32_t sub, depth;
} writing;

static void write_held(const writing *w)
{
    if (w->count == 0)
        return;
    nytp_str name = nytp_names_get(w->subs->names, w->sub);
    fwrite_unlocked(w->blanks, 1, (size_t)MIN(w->depth, DEEPEST_INDENT) * STEP, w->out);
    if (w->depth > DEEPEST_INDENT)
        fprintf(w->out, "[%u deep] ", w->depth);
    fwrite_unlocked(name.bytes, 1, name.length, w->out);
    if (w->count > 1)
        fprintf(w->out, " (%llux)", (unsigned long long)w->count);
    putc_unlocked('\n', w->out);
}

static void hold(writing *w, uint32_t depth, uint32_t sub)
{
    if (w->options->form == TREE_FOLDED && w->count > 0 && w->sub == sub && w->depth == depth) {
        w->count++;
        return;
    }
    write_held(w);
    w->sub = sub;
    w->depth = depth;
    w->count = 1;
}

/* Returns whether the call is one of the root, or below one. Makes *depth relative to that call. */
static bool below_root(writing *w, uint32_t *depth, uint32_t sub)
{
    if (w->subs->root == UINT32_MAX)
        return true;
    if (*depth <= w->root_depth)
        w->root_depth = sub == w->subs->root ? *depth : UINT32_MAX;
    *depth -= w->root_depth;
    return w->root_depth != UINT32_MAX;
}

static void write_call(writing *w, uint32_t depth, uint32_t sub)
{
    if (!below_root(w, &depth, sub))
        return;
    uint32_t shown = depth > 0 ? g_array_index(w->shown, uint32_t, depth - 1) : 0;
    uint32_t below = shown + !w->subs->hidden[sub];
    g_array_set_size(w->shown, depth);
    g_array_append_val(w->shown, below);
    if (!w->subs->hidden[sub] && (w->options->max_depth == 0 || shown < w->options->max_depth))
        hold(w, shown, sub);
}

int tree_order_write(nytp_callorder *order, const tree_options *options, const tree_order_subs *subs,
                     FILE *out)
{
    writing w = {.options = options,
                 .subs = subs,
                 .out = out,
                 .blanks = g_strnfill((gsize)DEEPEST_INDENT * STEP, ' '),
                 .shown = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                 .root_depth = UINT32_MAX};
    nytp_ordered_call call;
    nytp_callorder_turn(order);
    while (nytp_callorder_next(order, &call) && !ferror(out))
        write_call(&w, call.depth, call.sub);
    write_held(&w);
    g_array_free(w.shown, TRUE);
    g_free(w.blanks);
    return nytp_callorder_error(order);
}
