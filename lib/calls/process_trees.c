#include "calls/process_calls.h"

#include "base/str.h"
#include "calls/calltree.h"
#include "calls/derive_arcs.h"
#include "format/reader.h"
#include "model/grow.h"

#include <math.h>

/* The tree of a process. Nodes of a lined tree are named by the bytes of their nytp_lined_frame. */
typedef struct process_tree {
    nytp_calltree *tree;    /* NULL: nothing was read */
    nytp_calltree *waiting; /* NULL: not made, or the process did not wait */
    GArray *lined;          /* nytp_lined_frame, by the number of a sub in a lined tree; NULL if tree is */
} process_tree;

typedef struct process_trees {
    nytp_process_calls calls;
    enum nytp_process_trees_of of;
    bool shows_root;
    GArray *trees;       /* process_tree, by the index of the process */
    process_tree *found; /* what find_tree() returned last; of an earlier profile if !has_process() */
} process_trees;

static process_tree *tree_at(const nytp_process_calls *calls, size_t process)
{
    return &g_array_index(((const process_trees *)calls)->trees, process_tree, process);
}

nytp_calltree *nytp_process_tree(const nytp_process_calls *trees, size_t process)
{
    return tree_at(trees, process)->tree;
}

nytp_calltree *nytp_process_waiting_tree(const nytp_process_calls *trees, size_t process)
{
    return tree_at(trees, process)->waiting;
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
}

static void show_root(const nytp_process_calls *c, process_tree *t)
{
    const nytp_str root = nytp_str_of(NYTP_RUNTIME);
    const nytp_lined_frame lined = {nytp_frames_of_raw(c->frames, &root), 0};
    nytp_calltree_show_root(t->tree);
    t->tree->limits_root = true;
    g_array_append_val(t->lined, lined);
}

static void make_tree(const process_trees *t, const nytp_process_of_calls *p, process_tree *made)
{
    const bool lined = t->of == NYTP_TREES_OF_LINED_FRAMES;
    made->tree =
        lined ? nytp_calltree_new(NULL, NULL)
              : nytp_calltree_new_of(nytp_frames_names(t->calls.frames), nytp_frames_rename, t->calls.frames);
    made->lined = NYTP_ARRAY(nytp_lined_frame);
    const bool is_time = nytp_measure_is_time(&p->measure), is_sampled = nytp_measure_is_sampled(&p->measure);
    nytp_calltree_set_ticks_per_sec(made->tree, is_time ? 1e9 : p->ticks_per_sec);
    nytp_calltree_set_scale(made->tree, is_time ? 1e9 / p->ticks_per_sec : 1);
    nytp_calltree_set_sampled(made->tree, is_sampled);
    if (t->shows_root || is_sampled)
        show_root(&t->calls, made);
    if (t->calls.sink.needs_time)
        nytp_calltree_read_whole(made->tree);
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

static uint32_t lined_sub(process_tree *to, nytp_frames *frames, const nytp_call_event *call)
{
    const nytp_lined_frame lined = {nytp_frames_of(frames, call->sub), call->line};
    const uint32_t sub = nytp_calltree_sub(to->tree, &(nytp_str){(const char *)&lined, sizeof lined, false});
    if (sub == to->lined->len)
        g_array_append_val(to->lined, lined);
    return sub;
}

static void on_call(void *sink, const nytp_call_event *call)
{
    process_trees *t = sink;
    nytp_call_event added = *call;
    nytp_process_calls_count_returns(&t->calls, 1);
    process_tree *to = current_tree(t);
    if (t->of == NYTP_TREES_OF_LINED_FRAMES)
        added.sub = lined_sub(to, t->calls.frames, call);
    nytp_calltree_add_call(to->tree, &added);
}

static void on_time(void *sink, double ticks)
{
    nytp_calltree_add_time(current_tree(sink)->tree, ticks);
}

static void on_waited(void *sink, nytp_waited waited)
{
    nytp_calltree_add_waited(current_tree(sink)->tree, waited);
}

static void on_sample(void *sink, const nytp_sample_event *sample)
{
    nytp_calltree_add_samples(current_tree(sink)->tree, sample->count);
}

static size_t read_run(void *sink, nytp_reader *reader)
{
    process_trees *t = sink;
    if (!has_process(t) || (t->found == NULL && nytp_reader_is_filtered(reader)))
        return 0; /* filters may leave nothing of the process, which then has no tree */
    nytp_calltree *tree = current_tree(t)->tree;
    const uint64_t before = tree->calls;
    const size_t count = nytp_calltree_read_run(tree, reader);
    nytp_process_calls_count_returns(&t->calls, tree->calls - before);
    return count;
}

/* A sub without a number is what pruning folds calls into. */
nytp_lined_frame nytp_lined_frame_of(const nytp_process_calls *trees, size_t process, const nytp_call *call)
{
    const GArray *lined = tree_at(trees, process)->lined;
    if (call->sub < lined->len)
        return g_array_index(lined, nytp_lined_frame, call->sub);
    return (nytp_lined_frame){nytp_frames_of_shown(trees->frames, call->name), 0};
}

static void clear(nytp_process_calls *calls)
{
    process_trees *t = (process_trees *)calls;
    for (guint i = 0; i < t->trees->len; i++) {
        nytp_calltree_free(tree_at(calls, i)->waiting);
        nytp_calltree_free(tree_at(calls, i)->tree);
        if (tree_at(calls, i)->lined != NULL)
            g_array_free(tree_at(calls, i)->lined, TRUE);
    }
    g_array_free(t->trees, TRUE);
}

nytp_process_calls *nytp_process_trees_new(bool keep_evals, enum nytp_process_trees_of of, bool shows_root,
                                           bool reads_waited)
{
    static const nytp_calls_product product = {begin_process, clear};
    process_trees *t = g_new0(process_trees, 1);
    nytp_process_calls_init(&t->calls, &product, keep_evals);
    nytp_sink *sink = &t->calls.sink;
    sink->on_call = on_call;
    sink->on_time = on_time;
    sink->on_sample = on_sample;
    sink->needs_time = shows_root;
    sink->needs_line = sink->names_traces = of == NYTP_TREES_OF_LINED_FRAMES;
    sink->needs_waited = reads_waited;
    sink->on_waited = reads_waited ? on_waited : NULL;
    sink->read_run = sink->needs_line || reads_waited ? NULL : read_run;
    nytp_events_add_sink(t->calls.events, sink, t);
    t->of = of;
    t->shows_root = shows_root;
    t->trees = NYTP_ZEROED_ARRAY(process_tree);
    return &t->calls;
}

void nytp_process_trees_read_whole(nytp_process_calls *trees)
{
    trees->sink.needs_time = true;
}

void nytp_process_trees_find_waiting(nytp_process_calls *trees)
{
    for (guint i = 0; i < trees->processes->len; i++) {
        process_tree *t = tree_at(trees, i);
        const nytp_process_of_calls *p = &g_array_index(trees->processes, nytp_process_of_calls, i);
        if (t->tree == NULL || !nytp_measure_is_time(&p->measure))
            continue;
        nytp_calltree *waiting = nytp_amount_tree_new(t->tree, nytp_amount_of_wait(NYTP_ASLEEP));
        if (nytp_stacktree_count(&waiting->stacks) > 0)
            t->waiting = waiting;
        else
            nytp_calltree_free(waiting);
    }
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

uint32_t nytp_process_trees_prune(nytp_process_calls *trees, nytp_least min, uint32_t max_depth)
{
    double whole_ns = 0;
    const uint32_t depth = greatest_depth(trees);
    const uint32_t most = max_depth > 0 ? MIN(max_depth, depth) : depth;
    if (!nytp_least_is_given(min) && most == depth)
        return 0;
    for (guint i = 0; i < trees->processes->len; i++)
        if (nytp_process_tree(trees, i) != NULL)
            whole_ns += nytp_calltree_whole_ticks(nytp_process_tree(trees, i));
    const double min_ns = nytp_least_ticks(min, whole_ns, 1e9);
    for (guint i = 0; i < trees->processes->len; i++) {
        if (nytp_process_tree(trees, i) != NULL)
            nytp_calltree_prune(nytp_process_tree(trees, i), min_ns, most, "(other)");
        if (nytp_process_waiting_tree(trees, i) != NULL)
            nytp_calltree_prune(nytp_process_waiting_tree(trees, i), min_ns, most, "(other)");
    }
    return depth - most;
}
