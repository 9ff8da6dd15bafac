#include "calls/process_trees.h"

#include "calls/calltree.h"
#include "format/fastpath.h"
#include "format/tags.h"

#include <math.h>

/* The tree of a process. Nodes of a lined tree are named by the bytes of their nytp_lined_frame. */
typedef struct process_tree {
    nytp_calltree *tree; /* NULL: nothing was read */
    GArray *lined;       /* nytp_lined_frame, by the number of a sub in a lined tree; NULL if tree is */
} process_tree;

typedef struct process_trees {
    nytp_process_calls calls;
    enum nytp_process_trees_of of;
    bool shows_root;
    bool reads_statements;
    bool leaves_out_waits;
    bool counts_samples; /* the current process is made of samples */
    GArray *trees;       /* process_tree, by the index of the process */
    process_tree *found; /* what find_tree() returned last; of an earlier profile if !has_process() */
    GArray *lines;       /* uint32_t, by depth: where the open calls were made */
    guint depth;         /* how many calls are open, going by SUB_ENTRY and SUB_RETURN */
} process_trees;

static process_tree *tree_at(const nytp_process_calls *calls, size_t process)
{
    return &g_array_index(((const process_trees *)calls)->trees, process_tree, process);
}

nytp_calltree *nytp_process_tree(const nytp_process_calls *trees, size_t process)
{
    return tree_at(trees, process)->tree;
}

/* Whether a process of the current profile has begun. */
static bool has_process(const process_trees *t)
{
    return t->calls.processes->len > t->calls.first;
}

static void begin_process(nytp_process_calls *calls)
{
    process_trees *t = (process_trees *)calls;
    g_array_set_size(t->trees, calls->processes->len);
    t->found = NULL;
    t->depth = 0;
    t->counts_samples = nytp_process_calls_current(calls)->sampled_hz > 0;
    calls->reads_runs = t->counts_samples || t->reads_statements || t->of == NYTP_TREES_OF_FRAMES;
}

static void show_root(const nytp_process_calls *c, process_tree *t)
{
    const nytp_str root = {"main::RUNTIME", sizeof "main::RUNTIME" - 1, false};
    const nytp_lined_frame lined = {nytp_frames_of_raw(c->frames, &root), 0};
    nytp_calltree_show_root(t->tree);
    g_array_append_val(t->lined, lined);
}

static void make_tree(const process_trees *t, const nytp_process_of_calls *p, process_tree *made)
{
    const bool lined = t->of == NYTP_TREES_OF_LINED_FRAMES;
    made->tree = nytp_calltree_new(lined ? NULL : nytp_frames_rename, t->calls.frames);
    made->lined = g_array_new(FALSE, FALSE, sizeof(nytp_lined_frame));
    nytp_calltree_set_ticks_per_sec(made->tree, 1e9);
    nytp_calltree_set_scale(made->tree, 1e9 / p->ticks_per_sec);
    nytp_calltree_set_sampled(made->tree, p->sampled_hz > 0);
    if (t->shows_root || p->sampled_hz > 0)
        show_root(&t->calls, made);
    if (t->reads_statements)
        nytp_calltree_read_whole(made->tree);
    if (t->leaves_out_waits)
        nytp_calltree_leave_out_waits(made->tree);
    nytp_calltree_begin_process(made->tree);
}

static __attribute__((noinline)) process_tree *find_tree(process_trees *t)
{
    if (!has_process(t))
        nytp_process_calls_current(&t->calls);
    process_tree *tree = tree_at(&t->calls, t->calls.processes->len - 1);
    if (tree->tree == NULL)
        make_tree(t, nytp_process_calls_current(&t->calls), tree);
    return t->found = tree;
}

/* Returns the tree of the current process. */
static inline process_tree *current_tree(process_trees *t)
{
    return t->found != NULL && has_process(t) ? t->found : find_tree(t);
}

static void enter_call(process_trees *t, const nytp_chunk *chunk)
{
    if (t->counts_samples && has_process(t))
        nytp_calltree_add(current_tree(t)->tree, chunk);
    if (t->of != NYTP_TREES_OF_LINED_FRAMES)
        return;
    if (t->depth >= t->lines->len)
        g_array_set_size(t->lines, t->depth + 1);
    g_array_index(t->lines, uint32_t, t->depth++) = chunk->sub_entry.line;
}

/* Where the call that returns at depth was made. Depths are the stream's own, so an entry or a return that is
 * missing does no harm to the calls around it. */
static uint32_t leave_call(process_trees *t, uint32_t depth)
{
    bool known = depth > 0 && depth <= t->depth;
    t->depth = depth > 0 ? MIN(t->depth, depth - 1) : 0;
    return known ? g_array_index(t->lines, uint32_t, depth - 1) : 0;
}

static void add_lined_return(process_trees *t, const nytp_chunk *chunk)
{
    process_tree *to = current_tree(t);
    const nytp_lined_frame lined = {nytp_frames_of_raw(t->calls.frames, &chunk->sub_return.name),
                                    leave_call(t, chunk->sub_return.depth)};
    uint32_t sub = nytp_calltree_sub(to->tree, &(nytp_str){(const char *)&lined, sizeof lined, false});
    if (sub == to->lined->len)
        g_array_append_val(to->lined, lined);
    nytp_calltree_add_return(to->tree, sub, chunk->sub_return.depth, chunk->sub_return.excl_ticks,
                             nytp_calltree_leaves_out(to->tree, chunk->sub_return.name));
}

/* A sub without a number is what pruning folds calls into. */
nytp_lined_frame nytp_lined_frame_of(const nytp_process_calls *trees, size_t process, const nytp_call *call)
{
    const GArray *lined = tree_at(trees, process)->lined;
    if (call->sub < lined->len)
        return g_array_index(lined, nytp_lined_frame, call->sub);
    return (nytp_lined_frame){nytp_frames_of_shown(trees->frames, call->name), 0};
}

static void add(nytp_process_calls *calls, const nytp_chunk *chunk)
{
    process_trees *t = (process_trees *)calls;
    if (chunk->tag == NYTP_SUB_ENTRY) {
        enter_call(t, chunk);
        return;
    }
    if (chunk->tag == NYTP_SUB_RETURN && t->of == NYTP_TREES_OF_LINED_FRAMES)
        add_lined_return(t, chunk);
    else
        nytp_calltree_add(current_tree(t)->tree, chunk);
}

/* Statements, and returns, that are buffered one after another. */
static size_t read_runs(nytp_process_calls *calls, nytp_reader *reader)
{
    process_trees *t = (process_trees *)calls;
    size_t count = 0;
    if (t->counts_samples)
        nytp_want_samples(reader);
    if (t->reads_statements)
        count += nytp_calltree_read_statements(current_tree(t)->tree, reader) / NYTP_SHORT_STATEMENT_MAX;
    if (t->of == NYTP_TREES_OF_LINED_FRAMES)
        return count;
    size_t returns = nytp_calltree_read_returns(current_tree(t)->tree, reader);
    nytp_process_calls_count_returns(calls, returns);
    return count + returns;
}

static void clear(nytp_process_calls *calls)
{
    process_trees *t = (process_trees *)calls;
    for (guint i = 0; i < t->trees->len; i++) {
        nytp_calltree_free(tree_at(calls, i)->tree);
        if (tree_at(calls, i)->lined != NULL)
            g_array_free(tree_at(calls, i)->lined, TRUE);
    }
    g_array_free(t->trees, TRUE);
    g_array_free(t->lines, TRUE);
}

nytp_process_calls *nytp_process_trees_new(bool keep_evals, enum nytp_process_trees_of of, bool shows_root)
{
    static const nytp_calls_product product = {begin_process, add, read_runs, clear};
    process_trees *t = g_new0(process_trees, 1);
    nytp_process_calls_init(&t->calls, &product, keep_evals);
    t->calls.tags = of == NYTP_TREES_OF_LINED_FRAMES ? NYTP_BIT(SUB_ENTRY) : 0;
    t->of = of;
    t->shows_root = shows_root;
    t->trees = g_array_new(FALSE, TRUE, sizeof(process_tree));
    t->lines = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    if (shows_root)
        nytp_process_trees_read_whole(&t->calls);
    return &t->calls;
}

void nytp_process_trees_read_whole(nytp_process_calls *trees)
{
    trees->tags |= NYTP_TIMES | NYTP_BIT(DISCOUNT);
    ((process_trees *)trees)->reads_statements = true;
}

void nytp_process_trees_leave_out_waits(nytp_process_calls *trees)
{
    ((process_trees *)trees)->leaves_out_waits = true;
}

/* Returns the greatest depth of all stacks, with the root. */
static uint32_t greatest_depth(const nytp_process_calls *trees)
{
    uint32_t depth = 0;
    for (guint i = 0; i < trees->processes->len; i++) {
        const nytp_calltree *tree = nytp_process_tree(trees, i);
        if (tree != NULL)
            depth = MAX(depth, nytp_calltree_depth(tree) + tree->shows_root);
    }
    return depth;
}

uint32_t nytp_process_trees_prune(nytp_process_calls *trees, double min_percent, uint32_t max_depth)
{
    double whole_ns = 0;
    const uint32_t depth = greatest_depth(trees);
    const uint32_t most = max_depth > 0 ? MIN(max_depth, depth) : depth;
    if (min_percent <= 0 && most == depth)
        return 0;
    for (guint i = 0; i < trees->processes->len; i++)
        if (nytp_process_tree(trees, i) != NULL)
            whole_ns += nytp_calltree_whole_ticks(nytp_process_tree(trees, i));
    double min_ns = min_percent > 0 ? whole_ns * min_percent / 100 : -HUGE_VAL;
    for (guint i = 0; i < trees->processes->len; i++)
        if (nytp_process_tree(trees, i) != NULL)
            nytp_calltree_prune(nytp_process_tree(trees, i), min_ns, most, "(other)");
    return depth - most;
}
