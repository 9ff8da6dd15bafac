#include "tree.h"

#include "base/str.h"
#include "calls/calltree.h"
#include "model/grow.h"
#include "model/waits.h"

typedef struct filling {
    nytp_stacktree *to;
    nytp_names *names;
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
        f->number[call->sub] = nytp_names_intern(f->names, &text, NULL) + 1;
    }
    return f->number[call->sub] - 1;
}

static bool add_call(void *context, const nytp_call *call)
{
    const filling *f = context;
    const nytp_spent spent = nytp_spent_of(call->excl_ticks, nytp_call_waited_of(call));
    const nytp_node shown = {.calls = call->calls,
                             .excl_ticks = f->wait ? call->excl_ticks : spent.work_ticks};
    nytp_stacktree_add_visited(f->to, f->path, call->depth, number_of(f, call), &shown, f->scale);
    return true;
}

static void add_calls(nytp_stacktree *to, nytp_names *names, nytp_calltree *from, const tree_options *o,
                      const nytp_summary *s)
{
    const nytp_measure measure = nytp_profile_measure(s->profile);
    const double rate = nytp_calltree_ticks_per_sec(s->stacks);
    g_autofree uint32_t *number = g_new0(uint32_t, (size_t)nytp_names_count(s->names) + 1);
    filling f = {.to = to,
                 .names = names,
                 .summary = s,
                 .wait = o->wait,
                 .scale = nytp_measure_is_time(&measure) && rate > 0 ? measure.ticks_per_base / rate : 1,
                 .number = number,
                 .path = NYTP_ARRAY(uint32_t)};
    (o->common.filters.evals ? nytp_calltree_walk : nytp_calltree_walk_subs)(from, add_call, &f);
    g_array_free(f.path, TRUE);
}

/* Which expressions a call, or one above it, matches. */
enum { FOCUS = 1, IGNORE = 2 };

typedef struct choosing {
    const tree_options *options;
    const nytp_names *names;
    nytp_stacktree *stacks;
    double left_out_ticks;
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
    choosing *c = context;
    const tree_options *o = c->options;
    nytp_node *node = &c->stacks->nodes[n];
    const nytp_str name = nytp_names_get(c->names, node->sub);
    const unsigned above = depth > 0 ? g_array_index(c->path, unsigned, depth - 1) : 0,
                   is = above | matches(o->focus, name, FOCUS) | matches(o->ignore, name, IGNORE);
    g_array_set_size(c->path, depth);
    g_array_append_val(c->path, is);
    if (is == (o->focus != NULL ? FOCUS : 0))
        return;
    c->left_out_ticks += node->excl_ticks;
    node->excl_ticks = 0;
}

/* The root has what no sub has, too. */
static void add_root(tree_calls *c, const tree_options *o, const nytp_summary *s)
{
    const nytp_str runtime = nytp_str_of(NYTP_RUNTIME);
    const nytp_measure measure = nytp_profile_measure(s->profile);
    nytp_node *root = &c->stacks.nodes[0];
    root->sub = nytp_names_intern(c->names, &runtime, NULL);
    const double ticks = o->focus != NULL ? root->incl_ticks : c->base_ticks - c->left_out_ticks;
    root->calls = nytp_measure_is_bytes(&measure) ? nytp_profile_totals(s->profile).statements
                                                  : nytp_profile_process_count(s->profile);
    root->excl_ticks = ticks - root->incl_ticks;
    root->incl_ticks = ticks;
}

/* Fills a tree with the calls that match. Returns the time of those that do not. */
static double fill(nytp_stacktree *to, nytp_names *names, nytp_calltree *from, const tree_options *o,
                   const nytp_summary *s)
{
    choosing chosen = {o, names, to, 0, NYTP_ARRAY(unsigned)};
    nytp_stacktree_init(to);
    add_calls(to, names, from, o, s);
    nytp_stacktree_visit(to, choose, &chosen);
    g_array_free(chosen.path, TRUE);
    nytp_stacktree_settle(to, -HUGE_VAL, UINT32_MAX, 0);
    return chosen.left_out_ticks;
}

/* Makes it a tree of what the sub calls, or of its callers. */
static void begin_with(nytp_stacktree *stacks, uint32_t sub, const tree_options *o, bool counts_samples)
{
    if (o->from != NULL)
        nytp_stacktree_root_at(stacks, sub);
    else
        nytp_stacktree_turn(stacks, sub, UINT32_MAX, counts_samples);
}

/* Sets c->errors. sub: that of --from and --to. */
static void fill_errors(tree_calls *c, uint32_t sub, const tree_options *o, const nytp_summary *s)
{
    fill(&c->errors, c->names, s->errors, o, s);
    if (!c->has_root)
        begin_with(&c->errors, sub, o, true);
    if (o->to == NULL)
        nytp_stacktree_sum_calls(&c->errors);
}

bool tree_calls_fill(tree_calls *c, const tree_options *o, const nytp_summary *s, char **why)
{
    const nytp_measure measure = nytp_profile_measure(s->profile);
    *c = (tree_calls){.names = nytp_names_new(),
                      .has_root = o->from == NULL && o->to == NULL,
                      .base_ticks = nytp_head_base_ticks(s->profile, o->wait),
                      .ticks_per_s = measure.ticks_per_base};
    c->left_out_ticks = fill(&c->stacks, c->names, s->stacks, o, s);
    if (o->focus != NULL && c->stacks.nodes[0].incl_ticks <= 0) {
        *why = g_strdup("no call that takes time matches --focus");
        return false;
    }
    if (c->has_root) {
        add_root(c, o, s);
        fill_errors(c, 0, o, s);
        return true;
    }
    const uint32_t sub = nytp_names_find_sub(c->names, o->from != NULL ? o->from : o->to, why);
    if (sub == UINT32_MAX)
        return false;
    begin_with(&c->stacks, sub, o, nytp_measure_counts_samples(&measure));
    fill_errors(c, sub, o, s);
    return true;
}

void tree_calls_clear(tree_calls *c)
{
    nytp_stacktree_clear(&c->stacks);
    if (c->errors.nodes != NULL)
        nytp_stacktree_clear(&c->errors);
    nytp_names_free(c->names);
}
