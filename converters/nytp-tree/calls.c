#include "tree.h"

#include "base/str.h"
#include "calls/calltree.h"
#include "model/grow.h"
#include "model/waits.h"

typedef struct filling {
    tree_calls *to;
    const nytp_summary *summary;
    bool wait;
    double scale;     /* from ticks of the call tree to those of the profile */
    uint32_t *number; /* by number in the summary's names, that in ours, + 1; 0: not known yet */
    GArray *path;     /* uint32_t: nodes */
} filling;

/* Runs of an eval have the name of the one that they are merged with. */
static uint32_t number_of(const filling *f, const nytp_call *call)
{
    const uint32_t in_profile = f->summary->sub_of[call->sub];
    nytp_sub sub;
    if (f->number[call->sub] == 0) {
        const bool is_known = nytp_profile_sub(f->summary->profile, in_profile, &sub);
        g_autofree char *name = nytp_name_clean(is_known ? sub.name : call->name);
        const nytp_str text = nytp_str_of(name);
        f->number[call->sub] = nytp_names_intern(f->to->names, &text, NULL) + 1;
    }
    return f->number[call->sub] - 1;
}

static bool add_call(void *context, const nytp_call *call)
{
    const filling *f = context;
    const nytp_spent spent = nytp_spent_of(call->excl_ticks, nytp_call_waited_of(call));
    const nytp_node shown = {.calls = call->calls,
                             .excl_ticks = f->wait ? call->excl_ticks : spent.work_ticks};
    nytp_stacktree_add_visited(&f->to->stacks, f->path, call->depth, number_of(f, call), &shown, f->scale);
    return true;
}

static void add_calls(tree_calls *c, const tree_options *o, const nytp_summary *s)
{
    const nytp_measure measure = nytp_profile_measure(s->profile);
    const double rate = nytp_calltree_ticks_per_sec(s->stacks);
    g_autofree uint32_t *number = g_new0(uint32_t, (size_t)nytp_names_count(s->names) + 1);
    filling f = {.to = c,
                 .summary = s,
                 .wait = o->wait,
                 .scale = nytp_measure_is_time(&measure) && rate > 0 ? measure.ticks_per_base / rate : 1,
                 .number = number,
                 .path = NYTP_ARRAY(uint32_t)};
    (o->common.filters.evals ? nytp_calltree_walk : nytp_calltree_walk_subs)(s->stacks, add_call, &f);
    g_array_free(f.path, TRUE);
}

/* Which expressions a call, or one above it, matches. */
enum { FOCUS = 1, IGNORE = 2 };

typedef struct choosing {
    const tree_options *options;
    tree_calls *calls;
    GArray *path; /* unsigned, by depth */
} choosing;

static unsigned matches(const GRegex *regex, nytp_str name, unsigned which)
{
    return regex != NULL && g_regex_match_full(regex, name.bytes, (gssize)name.length, 0, 0, NULL, NULL)
               ? which
               : 0;
}

static void choose(void *context, uint32_t n, uint32_t depth)
{
    const choosing *c = context;
    const tree_options *o = c->options;
    nytp_node *node = &c->calls->stacks.nodes[n];
    const nytp_str name = nytp_names_get(c->calls->names, node->sub);
    const unsigned above = depth > 0 ? g_array_index(c->path, unsigned, depth - 1) : 0,
                   is = above | matches(o->focus, name, FOCUS) | matches(o->ignore, name, IGNORE);
    g_array_set_size(c->path, depth);
    g_array_append_val(c->path, is);
    if (is == (o->focus != NULL ? FOCUS : 0))
        return;
    c->calls->left_out_ticks += node->excl_ticks;
    node->excl_ticks = 0;
}

/* The root has what no sub has, too. */
static void add_root(tree_calls *c, const tree_options *o, const nytp_summary *s)
{
    const nytp_str runtime = nytp_str_of(NYTP_RUNTIME);
    nytp_node *root = &c->stacks.nodes[0];
    root->sub = nytp_names_intern(c->names, &runtime, NULL);
    const double ticks = o->focus != NULL ? root->incl_ticks : c->base_ticks - c->left_out_ticks;
    root->calls = nytp_profile_process_count(s->profile);
    root->excl_ticks = ticks - root->incl_ticks;
    root->incl_ticks = ticks;
}

bool tree_calls_fill(tree_calls *c, const tree_options *o, const nytp_summary *s, char **why)
{
    const nytp_measure measure = nytp_profile_measure(s->profile);
    nytp_stacktree callers;
    *c = (tree_calls){.names = nytp_names_new(),
                      .has_root = o->from == NULL && o->to == NULL,
                      .base_ticks = nytp_head_base_ticks(s->profile, o->wait)};
    nytp_stacktree_init(&c->stacks);
    add_calls(c, o, s);
    choosing chosen = {o, c, NYTP_ARRAY(unsigned)};
    nytp_stacktree_visit(&c->stacks, choose, &chosen);
    g_array_free(chosen.path, TRUE);
    nytp_stacktree_settle(&c->stacks, -HUGE_VAL, UINT32_MAX, 0);
    if (o->focus != NULL && c->stacks.nodes[0].incl_ticks <= 0) {
        *why = g_strdup("no call that takes time matches --focus");
        return false;
    }
    if (c->has_root) {
        add_root(c, o, s);
        return true;
    }
    const uint32_t sub = nytp_names_find_sub(c->names, o->from != NULL ? o->from : o->to, why);
    if (sub == UINT32_MAX)
        return false;
    if (o->from != NULL) {
        nytp_stacktree_root_at(&c->stacks, sub);
        return true;
    }
    nytp_stacktree_init(&callers);
    nytp_stacktree_callers(&c->stacks, sub, UINT32_MAX, nytp_measure_counts_samples(&measure), &callers);
    nytp_stacktree_clear(&c->stacks);
    c->stacks = callers;
    return true;
}

void tree_calls_clear(tree_calls *c)
{
    nytp_stacktree_clear(&c->stacks);
    nytp_names_free(c->names);
}
