/* The call tree: returns, which come innermost first, folded into a tree of stacks.
 *
 * The stream does not say which sub made a call. A return at depth d adopts the calls that have returned at
 * depth d + 1 and wait for their caller; then it waits for its own. So the state is the tree, and for each
 * depth at which calls wait, those calls as a list of children that has no parent yet.
 *
 * In a profile made of samples, a TIME chunk is a sample of the calls that go on at that place of the stream,
 * from their SUB_ENTRY to their SUB_RETURN. Nodes count these samples, since calls were not counted.
 */
#include "calls/calltree.h"

#include "base/str.h"
#include "base/ticks.h"
#include "events/filters.h"
#include "events/known_subs.h"
#include "model/grow.h"

#include <float.h>
#include <stdlib.h>

uint32_t nytp_calltree_tags(const nytp_calltree *tree)
{
    const uint32_t calls = NYTP_BIT(SUB_RETURN) | NYTP_BIT(PID_START) | NYTP_BIT(ATTRIBUTE),
                   statements = NYTP_TIMES | NYTP_BIT(DISCOUNT);
    return calls | (tree != NULL && tree->sink.needs_time ? statements : 0);
}

/* Only damaged profiles hold times that are NaN or overflow when scaled. They count as 0: one of them must
 * not make every sum useless. */
void nytp_calltree_set_scale(nytp_calltree *tree, double scale)
{
    tree->scale = isfinite(scale) ? scale : 0;
    tree->most_ticks = fmin(NYTP_MOST_TICKS, nextafter(DBL_MAX / fabs(tree->scale), 0)); /* not rounded up */
}

/* Whether calls or times came already. */
static bool has_begun(const nytp_calltree *t)
{
    return t->processes > 0 || t->calls > 0 || t->statement_ticks != 0;
}

int nytp_calltree_set_ticks_per_sec(nytp_calltree *tree, double ticks_per_sec)
{
    if (!nytp_is_rate(ticks_per_sec))
        return NYTP_ERR_ARGUMENT;
    if (has_begun(tree))
        return NYTP_ERR_STATE;
    tree->ticks_per_sec = ticks_per_sec;
    return 0;
}

double nytp_calltree_ticks_per_sec(const nytp_calltree *tree)
{
    return tree->ticks_per_sec != 0 ? tree->ticks_per_sec : NYTP_USUAL_TICKS_PER_SEC;
}

/* Scales the times that follow from the rate of their profile to that of the tree. */
static void set_rate(nytp_calltree *t, double ticks_per_sec)
{
    if (t->ticks_per_sec == 0)
        t->ticks_per_sec = ticks_per_sec;
    nytp_calltree_set_scale(t, t->ticks_per_sec / ticks_per_sec);
}

void nytp_calltree_size(const nytp_calltree *tree, size_t *stacks, size_t *subs)
{
    *stacks = nytp_stacktree_count(&tree->stacks);
    *subs = nytp_names_count(tree->shown);
}

static uint32_t rename_new(nytp_calltree *t, const nytp_str *raw)
{
    size_t length;
    char *bytes = t->rename(t->rename_context, *raw, &length);
    uint32_t shown = nytp_names_intern(t->shown, &(nytp_str){bytes, length, raw->utf8}, NULL);
    free(bytes);
    return shown;
}

/* Returns the number of the shown name of a raw one that was not seen before. */
static __attribute__((noinline)) uint32_t show_new(nytp_calltree *t, uint32_t raw)
{
    const nytp_str name = nytp_names_get(t->raw, raw);
    if (raw >= t->shown_of->len)
        g_array_set_size(t->shown_of, raw + 1);
    const uint32_t shown = rename_new(t, &name);
    g_array_index(t->shown_of, uint32_t, raw) = shown + 1;
    return shown;
}

static inline uint32_t shown_sub(nytp_calltree *t, uint32_t raw)
{
    if (t->rename == NULL)
        return raw;
    const uint32_t shown = raw < t->shown_of->len ? g_array_index(t->shown_of, uint32_t, raw) : 0;
    return shown > 0 ? shown - 1 : show_new(t, raw);
}

uint32_t nytp_calltree_sub(nytp_calltree *tree, const nytp_str *raw)
{
    return shown_sub(tree, nytp_names_intern(tree->raw, raw, NULL));
}

uint32_t nytp_calltree_shown(nytp_calltree *tree, uint32_t raw)
{
    return shown_sub(tree, raw);
}

int nytp_calltree_show_root(nytp_calltree *tree)
{
    const nytp_str name = nytp_str_of(NYTP_RUNTIME);
    if (has_begun(tree))
        return NYTP_ERR_STATE;
    tree->shows_root = tree->sink.needs_time = true;
    tree->root_sub = nytp_calltree_sub(tree, &name);
    return 0;
}

/* The caller of these calls will not return: they count as called from outside. */
static void orphan(nytp_calltree *t, nytp_waiting *waiting)
{
    nytp_stacktree_absorb(&t->stacks, &t->stacks.nodes[t->root_node].children, &waiting->children);
    waiting->hint = 0;
}

void nytp_calltree_end_stack(nytp_calltree *tree)
{
    for (; tree->top > 0; tree->top--)
        orphan(tree, &tree->levels[tree->top]);
    orphan(tree, &tree->levels[0]);
}

static __attribute__((noinline)) nytp_waiting *push_level(nytp_calltree *t, uint32_t depth)
{
    t->levels = nytp_grown(t->levels, &t->level_capacity, ++t->top + (size_t)1, sizeof *t->levels);
    t->max_depth = MAX(t->max_depth, depth);
    t->levels[t->top] = (nytp_waiting){.depth = depth};
    return &t->levels[t->top];
}

/* Returns the level of that depth, a new one if there is none, and removes the deeper ones. *adopted receives
 * the calls that waited at depth + 1. Calls that waited deeper become roots. */
static inline nytp_waiting *descend_to(nytp_calltree *t, uint32_t depth, nytp_children *adopted)
{
    nytp_waiting *top = &t->levels[t->top];
    for (; top->depth > depth; top--, t->top--) {
        if (top->depth - depth > 1)
            orphan(t, top);
        else
            *adopted = top->children;
    }
    return top->depth == depth ? top : push_level(t, depth);
}

/* Inlined into the loop over returns, which saves 3 % of the instructions of nytprofcalls. Returns the node.
 */
__attribute__((always_inline)) static inline uint32_t
add_return(nytp_calltree *t, uint32_t sub, uint32_t depth, uint64_t count, double scaled_ticks)
{
    nytp_children adopted = {0, 0};
    nytp_waiting *here = descend_to(t, depth, &adopted);
    uint32_t n = nytp_stacktree_child(&t->stacks, &here->children, sub, here->hint);
    nytp_node *node = &t->stacks.nodes[n];
    here->hint = n;
    node->calls += count;
    node->excl_ticks += scaled_ticks;
    if (adopted.last == 0)
        return n;
    if (node->children.last == 0)
        node->children = adopted;
    else
        nytp_stacktree_absorb(&t->stacks, &node->children, &adopted);
    return n;
}

__attribute__((always_inline)) static inline uint32_t
count_return(nytp_calltree *t, uint32_t sub, uint32_t depth, uint64_t count, double excl_ticks)
{
    excl_ticks = nytp_calltree_scaled(t, excl_ticks);
    t->calls++;
    t->counted += count;
    t->excl_ticks += excl_ticks;
    return add_return(t, sub, depth, count, excl_ticks);
}

void nytp_calltree_add_return(nytp_calltree *tree, uint32_t sub, uint32_t depth, uint64_t count,
                              double excl_ticks)
{
    count_return(tree, shown_sub(tree, sub), depth, count, excl_ticks);
}

/* Samples of calls that do not return stay with the root, as their time does. */
void nytp_calltree_add_call(nytp_calltree *tree, const nytp_call_event *call)
{
    if (tree->is_sampled)
        tree->root_calls -= call->count;
    const uint32_t n =
        count_return(tree, shown_sub(tree, call->sub), call->depth, call->count, call->excl_ticks);
    if (nytp_waited_ticks(call->waited.own) == 0)
        return;
    const nytp_waited own = nytp_calltree_scaled_waited(tree, call->waited.own);
    nytp_waited_add(&tree->stacks.nodes[n].waited, own);
    nytp_waited_add(&tree->calls_waited, own);
}

void nytp_calltree_add_samples(nytp_calltree *tree, uint64_t count)
{
    tree->is_sampled = true;
    tree->root_calls += count;
}

void nytp_calltree_add_time(nytp_calltree *tree, double ticks)
{
    tree->statement_ticks += ticks * tree->scale;
}

void nytp_calltree_add_waited(nytp_calltree *tree, nytp_waited waited)
{
    nytp_waited_add(&tree->waited, nytp_calltree_scaled_waited(tree, waited));
}

void nytp_calltree_begin_process(nytp_calltree *tree)
{
    nytp_calltree_end_stack(tree);
    tree->root_calls += !tree->is_sampled;
    tree->processes++;
}

/* ---- the tree as a sink of events ---- */

static void on_process(void *sink)
{
    nytp_calltree *t = sink;
    t->is_sampled = nytp_events_is_sampled(t->events);
    set_rate(t, nytp_events_ticks_per_sec(t->events));
    nytp_calltree_begin_process(t);
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_calltree_add_call(sink, call);
}

static void on_time(void *sink, double ticks)
{
    nytp_calltree_add_time(sink, ticks);
}

static void on_waited(void *sink, nytp_waited waited)
{
    nytp_calltree_add_waited(sink, waited);
}

static void on_sample(void *sink, const nytp_sample_event *sample)
{
    nytp_calltree_add_samples(sink, sample->count);
}

__attribute__((always_inline)) static inline void on_return(void *context, const nytp_return *returned)
{
    nytp_calltree *t = context;
    count_return(t, shown_sub(t, nytp_return_name(returned, t->raw)), returned->depth, 1,
                 returned->excl_ticks);
}

typedef struct call_run {
    nytp_calltree *tree;
    int64_t ticks; /* of statements */
} call_run;

__attribute__((always_inline)) static inline void on_timed_return(void *context, const nytp_return *returned)
{
    on_return(((const call_run *)context)->tree, returned);
}

static inline void on_statement(void *context, nytp_statement s)
{
    ((call_run *)context)->ticks += s.ticks;
}

/* The loops are not inlined, so that each has all registers. */
static __attribute__((noinline)) size_t read_calls(nytp_calltree *tree, nytp_reader *reader)
{
    return nytp_read_events(reader, NULL, on_return, tree);
}

static __attribute__((noinline)) size_t read_time_and_calls(nytp_calltree *tree, nytp_reader *reader)
{
    call_run run = {.tree = tree};
    const size_t bytes = nytp_read_run(reader, on_statement, on_timed_return, &run);
    if (tree->sink.needs_time)
        nytp_calltree_add_time(tree, (double)run.ticks);
    return bytes;
}

size_t nytp_calltree_read_run(void *tree, nytp_reader *reader)
{
    nytp_calltree *t = tree;
    const bool has_time = t->sink.needs_time || nytp_reader_is_filtered(reader);
    return (has_time ? read_time_and_calls(t, reader) : read_calls(t, reader)) / NYTP_SHORT_STATEMENT_MAX;
}

void nytp_calltree_read_waited(nytp_calltree *tree)
{
    tree->sink.needs_waited = true;
    tree->sink.on_waited = on_waited;
    tree->sink.read_run = NULL;
}

nytp_calltree *nytp_calltree_new_of(nytp_names *raw, nytp_rename_fn *rename, void *context)
{
    nytp_calltree *t = g_new0(nytp_calltree, 1);
    nytp_stacktree_init(&t->stacks);
    t->sink = (nytp_sink){.on_process = on_process,
                          .on_call = on_call,
                          .on_time = on_time,
                          .on_sample = on_sample,
                          .read_run = nytp_calltree_read_run};
    t->raw = raw;
    t->shown = rename != NULL ? nytp_names_new() : t->raw;
    t->shown_of = NYTP_ZEROED_ARRAY(uint32_t);
    t->rename = rename;
    t->rename_context = context;
    t->levels = nytp_grown(NULL, &t->level_capacity, 1, sizeof *t->levels);
    t->levels[0] = (nytp_waiting){0};
    nytp_calltree_set_scale(t, 1);
    return t;
}

nytp_calltree *nytp_calltree_new(nytp_rename_fn *rename, void *context)
{
    nytp_calltree *t = nytp_calltree_new_of(nytp_names_new(), rename, context);
    t->owns_raw = true;
    return t;
}

void nytp_calltree_free(nytp_calltree *tree)
{
    if (tree == NULL)
        return;
    nytp_stacktree_clear(&tree->stacks);
    if (tree->shown != tree->raw)
        nytp_names_free(tree->shown);
    if (tree->owns_raw)
        nytp_names_free(tree->raw);
    g_array_free(tree->shown_of, TRUE);
    nytp_events_free(tree->own_events);
    g_free(tree->levels);
    g_free(tree);
}

void nytp_calltree_take(nytp_calltree *tree, nytp_events *events)
{
    tree->events = events;
    nytp_events_add_sink(events, &tree->sink, tree);
}

nytp_events *nytp_calltree_events(nytp_calltree *tree)
{
    if (tree->events == NULL) {
        tree->own_events = nytp_events_new(tree->raw);
        nytp_calltree_take(tree, tree->own_events);
    }
    return tree->events;
}

void nytp_calltree_add(nytp_calltree *tree, const nytp_chunk *chunk)
{
    nytp_events_add(nytp_calltree_events(tree), chunk);
}

int nytp_calltree_read(nytp_calltree *tree, nytp_reader *reader)
{
    return nytp_events_read(nytp_calltree_events(tree), reader);
}

int nytp_profile_read_with_calls(nytp_profile *profile, nytp_calltree *tree, nytp_reader *reader)
{
    nytp_events_set_profile(nytp_calltree_events(tree), profile);
    const int rc = nytp_events_read(tree->events, reader);
    nytp_events_set_profile(tree->events, NULL);
    return rc;
}

void nytp_calltree_end_profile(nytp_calltree *tree)
{
    nytp_calltree_end_stack(tree);
    if (tree->events != NULL)
        nytp_events_end_profile(tree->events);
    tree->is_sampled = false;
}
