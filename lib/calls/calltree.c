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
#include "format/runs.h"
#include "model/grow.h"
#include "model/sampled.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

nytp_calltree *nytp_calltree_new(nytp_rename_fn *rename, void *context)
{
    nytp_calltree *t = g_new0(nytp_calltree, 1);
    nytp_stacktree_init(&t->stacks);
    t->raw = nytp_names_new();
    t->shown = rename != NULL ? nytp_names_new() : t->raw;
    t->shown_of = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    t->rename = rename;
    t->rename_context = context;
    t->levels = nytp_grown(NULL, &t->level_capacity, 1, sizeof *t->levels);
    t->levels[0] = (nytp_waiting){0};
    nytp_open_samples_init(&t->samples);
    t->rate = NYTP_USUAL_TICKS_PER_SEC;
    nytp_calltree_set_scale(t, 1);
    return t;
}

void nytp_calltree_free(nytp_calltree *tree)
{
    if (tree == NULL)
        return;
    nytp_stacktree_clear(&tree->stacks);
    if (tree->shown != tree->raw)
        nytp_names_free(tree->shown);
    nytp_names_free(tree->raw);
    g_array_free(tree->shown_of, TRUE);
    nytp_open_samples_clear(&tree->samples);
    g_free(tree->levels);
    g_free(tree);
}

uint32_t nytp_calltree_tags(const nytp_calltree *tree)
{
    const uint32_t calls = NYTP_BIT(SUB_RETURN) | NYTP_BIT(PID_START) | NYTP_BIT(ATTRIBUTE),
                   statements = NYTP_TIMES | NYTP_BIT(DISCOUNT);
    return calls | (tree != NULL && tree->reads_statements ? statements : 0);
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

/* With rename, only sub_of() interns raw names, so shown_of has all of them but the newest. */
static __attribute__((noinline)) uint32_t show_new(nytp_calltree *t, const nytp_str *raw)
{
    uint32_t shown = rename_new(t, raw);
    g_array_append_val(t->shown_of, shown);
    return shown;
}

static inline uint32_t sub_of(nytp_calltree *t, const nytp_str *name)
{
    uint32_t raw = nytp_names_intern(t->raw, name, NULL);
    if (t->rename == NULL)
        return raw;
    return raw < t->shown_of->len ? g_array_index(t->shown_of, uint32_t, raw) : show_new(t, name);
}

uint32_t nytp_calltree_sub(nytp_calltree *tree, const nytp_str *raw)
{
    return sub_of(tree, raw);
}

int nytp_calltree_show_root(nytp_calltree *tree)
{
    static const nytp_str name = {"main::RUNTIME", sizeof "main::RUNTIME" - 1, false};
    if (has_begun(tree))
        return NYTP_ERR_STATE;
    tree->shows_root = tree->reads_statements = true;
    tree->root_sub = sub_of(tree, &name);
    return 0;
}

void nytp_calltree_set_sampled(nytp_calltree *tree, bool is_sampled)
{
    tree->is_sampled = is_sampled;
}

/* Samples of calls that do not return stay with the root, as their time does. */
static void add_samples(nytp_calltree *t, uint64_t count)
{
    nytp_open_samples_add(&t->samples, count);
    t->root_calls += count;
}

static uint64_t take_samples(nytp_calltree *t, uint32_t depth)
{
    uint64_t count = nytp_open_samples_leave(&t->samples, depth);
    t->root_calls -= count;
    return count;
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

/* only_adopts: the call is left out if it has no callees. Returns whether it was added. */
__attribute__((always_inline)) static inline bool add_return(nytp_calltree *t, uint32_t sub, uint32_t depth,
                                                             uint64_t count, double scaled_ticks,
                                                             bool only_adopts)
{
    nytp_children adopted = {0, 0};
    nytp_waiting *here = descend_to(t, depth, &adopted);
    if (only_adopts && adopted.last == 0)
        return false;
    uint32_t n = nytp_stacktree_child(&t->stacks, &here->children, sub, here->hint);
    nytp_node *node = &t->stacks.nodes[n];
    here->hint = n;
    node->calls += count;
    node->excl_ticks += scaled_ticks;
    if (adopted.last == 0)
        return true;
    if (node->children.last == 0)
        node->children = adopted;
    else
        nytp_stacktree_absorb(&t->stacks, &node->children, &adopted);
    return true;
}

static inline double scaled(const nytp_calltree *t, double ticks)
{
    return fabs(ticks) <= t->most_ticks ? ticks * t->scale : 0; /* NaN becomes 0 */
}

/* Counts a call that waited, which has no time of its own. */
static __attribute__((noinline)) void count_wait(nytp_calltree *t, uint32_t sub, uint32_t depth,
                                                 double scaled_ticks)
{
    const uint64_t count = t->is_sampled ? 0 : 1;
    if (t->is_sampled)
        take_samples(t, depth);
    t->calls++;
    t->has_returned = true;
    t->waited_ticks += scaled_ticks;
    if (add_return(t, sub, depth, count, 0, true))
        t->counted += count;
}

/* This is inlined into the loop over returns in nytp_calltree_read_returns(), which saves 3 % of the
 * instructions of nytprofcalls, and so is add_returned(), which saves 2 %. */
__attribute__((always_inline)) static inline void count_return(nytp_calltree *tree, uint32_t sub,
                                                               uint32_t depth, double excl_ticks, bool waits)
{
    excl_ticks = scaled(tree, excl_ticks);
    if (waits) {
        count_wait(tree, sub, depth, excl_ticks);
        return;
    }
    const uint64_t count = tree->is_sampled ? take_samples(tree, depth) : 1;
    tree->calls++;
    tree->has_returned = true;
    tree->counted += count;
    tree->excl_ticks += excl_ticks;
    add_return(tree, sub, depth, count, excl_ticks, count == 0 && tree->leaves_out_waits && excl_ticks == 0);
    if (tree->observer != NULL)
        tree->observer->on_return(tree->observer_context, sub, depth, excl_ticks);
}

void nytp_calltree_add_return(nytp_calltree *tree, uint32_t sub, uint32_t depth, double excl_ticks,
                              bool waits)
{
    count_return(tree, sub, depth, excl_ticks, waits);
}

__attribute__((always_inline)) static inline void add_returned(void *context, const nytp_return *returned)
{
    nytp_calltree *t = context;
    count_return(t, sub_of(t, &returned->name), returned->depth, returned->excl_ticks, false);
}

static void add_returned_or_wait(void *context, const nytp_return *returned)
{
    nytp_calltree *t = context;
    count_return(t, sub_of(t, &returned->name), returned->depth, returned->excl_ticks,
                 nytp_sub_waits(returned->name));
}

size_t nytp_calltree_read_returns(nytp_calltree *tree, nytp_reader *reader)
{
    uint64_t before = tree->calls;
    if (tree->leaves_out_waits)
        nytp_read_returns(reader, add_returned_or_wait, tree);
    else
        nytp_read_returns(reader, add_returned, tree);
    return tree->calls - before;
}

typedef struct statements {
    int64_t ticks;
    uint64_t count;
} statements;

static inline void add_statement(void *context, nytp_statement s)
{
    statements *sum = context;
    sum->ticks += s.ticks;
    sum->count++;
}

void nytp_calltree_add_statements(nytp_calltree *tree, double ticks)
{
    tree->has_returned = false;
    tree->statement_ticks += ticks * tree->scale;
    if (tree->observer != NULL && !tree->is_sampled)
        tree->observer->on_statements(tree->observer_context, ticks * tree->scale);
}

size_t nytp_calltree_read_statements(nytp_calltree *tree, nytp_reader *reader)
{
    statements sum = {0, 0};
    if (!tree->reads_statements)
        return 0;
    size_t bytes = nytp_read_statements(reader, add_statement, &sum);
    nytp_calltree_add_statements(tree, (double)sum.ticks);
    if (tree->is_sampled && sum.count > 0)
        add_samples(tree, sum.count);
    return bytes;
}

void nytp_calltree_begin_process(nytp_calltree *tree)
{
    nytp_calltree_end_stack(tree);
    nytp_open_samples_reset(&tree->samples);
    tree->root_calls += !tree->is_sampled;
    tree->processes++;
    if (tree->observer != NULL)
        tree->observer->on_process(tree->observer_context);
}

static void add_attribute(nytp_calltree *t, const nytp_chunk *chunk)
{
    if (nytp_str_is(chunk->attribute.key, "ticks_per_sec")) {
        double rate = nytp_str_number(chunk->attribute.value);
        if (nytp_is_rate(rate))
            t->rate = rate;
    } else if (nytp_str_is(chunk->attribute.key, "sampled_hz")) {
        nytp_calltree_set_sampled(t, nytp_sampled_hz(&chunk->attribute.value) > 0);
    }
}

void nytp_calltree_add(nytp_calltree *tree, const nytp_chunk *chunk)
{
    switch (chunk->tag) {
    case NYTP_SUB_RETURN:
        nytp_calltree_add_return(tree, sub_of(tree, &chunk->sub_return.name), chunk->sub_return.depth,
                                 chunk->sub_return.excl_ticks,
                                 nytp_calltree_leaves_out(tree, chunk->sub_return.name));
        break;
    case NYTP_PID_START:
        set_rate(tree, tree->rate);
        nytp_calltree_begin_process(tree);
        break;
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK:
        nytp_calltree_add_statements(tree, chunk->time.ticks);
        if (tree->is_sampled)
            add_samples(tree, 1);
        break;
    case NYTP_SUB_ENTRY: nytp_open_samples_enter(&tree->samples); break;
    case NYTP_ATTRIBUTE: add_attribute(tree, chunk); break;
    default: break;
    }
}

void nytp_calltree_end_profile(nytp_calltree *tree)
{
    nytp_calltree_end_stack(tree);
    tree->rate = NYTP_USUAL_TICKS_PER_SEC;
    nytp_calltree_set_sampled(tree, false);
}

int nytp_calltree_read(nytp_calltree *tree, nytp_reader *reader)
{
    enum { SOME = 1 << 13 };
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t n = 0; rc == NYTP_OK && n < SOME; n++) {
        n += nytp_calltree_read_statements(tree, reader) / NYTP_SHORT_STATEMENT_MAX;
        n += nytp_calltree_read_returns(tree, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            nytp_calltree_add(tree, &chunk);
        if (tree->is_sampled)
            nytp_want_samples(reader);
    }
    return rc;
}

void nytp_calltree_observe(nytp_calltree *tree, const nytp_calltree_observer *observer, void *context)
{
    tree->observer = observer;
    tree->observer_context = context;
}
