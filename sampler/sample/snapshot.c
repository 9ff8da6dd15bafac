#include "sampler/sample/snapshot.h"

#include "model/grow.h"

#include <string.h>

enum {
    TRIES = 8,          /* to find the stacks where they are expected */
    MOST_STACKS = 1000, /* one within the other */
    FIRST_LIMIT = 1 << 14,
    MOST_CONTEXTS = 1 << 16, /* of all stacks that a sample reads, and: */
    MORE_CONTEXTS = 4,       /* for each call that is wanted */
    MARGIN = 16,             /* contexts that may have come since the last time */
    MOST_MARGIN = 256,       /* that are read beyond those in use */
    MOST_UNUSED = 100,       /* samples until an inner stack is not expected any more */
};

static size_t most_contexts(const sampler_snapshot *s)
{
    return MOST_CONTEXTS + MORE_CONTEXTS * s->max_depth;
}

void sampler_snapshot_init(sampler_snapshot *s, size_t max_depth)
{
    *s = (sampler_snapshot){.max_depth = max_depth, .limit = FIRST_LIMIT};
}

/* The first context of a stack that is read if this is the last one, and at most so many are. */
static int32_t first_wanted(int32_t last, size_t most)
{
    const size_t all = (size_t)last + 1;
    return all > most ? (int32_t)(all - most) : 0;
}

sampler_call *sampler_snapshot_add_call(sampler_snapshot *s)
{
    s->calls = nytp_grown(s->calls, &s->room, s->count + 1, sizeof *s->calls);
    sampler_call *call = &s->calls[s->count++];
    memset(call, 0, sizeof *call);
    return call;
}

/* Appends what the contexts of a stack up to one of them say, innermost first, since stacks are found from
 * the innermost on. */
static void add_stack(sampler_snapshot *s, int32_t type, const sampler_contexts *contexts, int32_t last)
{
    for (int32_t at = last; at >= contexts->first; at--) {
        sampler_call call;
        if (sampler_contexts_call(contexts, at, &call))
            *sampler_snapshot_add_call(s) = call;
    }
    sampler_call *begin = sampler_snapshot_add_call(s);
    begin->kind = SAMPLER_CALL_STACK;
    begin->stack_type = type;
    if (last >= 0 && type == (int32_t)contexts->layout->si_type_sort)
        begin->cop = sampler_contexts_base_cop(contexts);
    s->cut = s->cut || contexts->first > 0;
}

/* Reads a stack that is not read with the others, since there are too many. */
static bool read_outer_stack(sampler_snapshot *s, const sampler_interpreter *i, uint64_t address,
                             sampler_stackinfo *st)
{
    if (!sampler_stackinfo_read(i, address, st) || !sampler_stackinfo_is_possible(st))
        return false;
    size_t size = i->layout.cx_size;
    int32_t first = first_wanted(st->at, MIN(s->limit, s->left));
    size_t length = (size_t)(st->at + 1 - first) * size;
    s->left -= (size_t)(st->at + 1 - first);
    s->contexts = nytp_grown(s->contexts, &s->contexts_room, length, 1);
    if (length > 0 &&
        !sampler_memory_read(&i->memory, st->contexts + (uint64_t)first * size, s->contexts, length))
        return false;
    sampler_contexts contexts = {&i->layout, s->contexts, first, st->at + 1};
    add_stack(s, st->type, &contexts, st->at);
    return true;
}

static bool read_outer_stacks(sampler_snapshot *s, const sampler_interpreter *i, uint64_t address)
{
    sampler_stackinfo st;
    for (int stacks = 0; address != 0; stacks++, address = st.previous) {
        if (stacks == MOST_STACKS || s->left == 0) {
            s->cut = true;
            return true;
        }
        if (!read_outer_stack(s, i, address, &st))
            return false;
    }
    return true;
}

static int find_known(const sampler_snapshot *s, uint64_t address)
{
    for (int n = 0; n < s->known_count; n++)
        if (s->known[n].expected.address == address)
            return n;
    return -1;
}

/* Notes where a stack is now, for the next reading. */
static void expect(const sampler_snapshot *s, sampler_known_stack *known, uint64_t address,
                   const sampler_stackinfo *st)
{
    int32_t last = st->most - st->at > MARGIN ? st->at + MARGIN : st->most;
    known->expected = (sampler_expected){address, st->contexts, first_wanted(last, s->limit), last + 1};
    known->unused = 0;
}

/* Calls expect() for the innermost stack, and for those around it: as many as are read at once. Stacks that
 * were known within it stay so. */
static void expect_all(sampler_snapshot *s, const sampler_interpreter *i, uint64_t address)
{
    sampler_stackinfo st;
    sampler_known_stack inner[SAMPLER_STACKS];
    int same = find_known(s, address), inner_count = same < 0 ? 0 : s->known_count - same - 1;
    memcpy(inner, &s->known[same + 1], (size_t)inner_count * sizeof *inner);
    s->known_count = 0;
    while (s->known_count < SAMPLER_STACKS && address != 0 && sampler_stackinfo_read(i, address, &st) &&
           sampler_stackinfo_is_possible(&st)) {
        memmove(s->known + 1, s->known, (size_t)s->known_count * sizeof *s->known);
        expect(s, &s->known[0], address, &st);
        s->known_count++;
        address = st.previous;
    }
    for (int n = 0; n < inner_count && s->known_count > 0 && s->known_count < SAMPLER_STACKS; n++)
        s->known[s->known_count++] = inner[n];
}

/* Whether a stack is where it was expected, in the one before it, and nothing of it was left out. */
static bool is_as_expected(const sampler_snapshot *s, const sampler_reading *r, int n)
{
    const sampler_expected *e = &s->known[n].expected;
    const sampler_stackinfo *now = &r->stacks[n];
    return sampler_stackinfo_is_possible(now) && now->contexts == e->contexts && now->at < e->end &&
           (e->first == 0 || now->at >= e->first) &&
           (n == 0 || now->previous == s->known[n - 1].expected.address);
}

/* Expects the stacks where they are found to be. Inner ones that have not been in use for long are dropped.
 */
static void expect_again(sampler_snapshot *s, const sampler_reading *r, int innermost)
{
    for (int n = 0; n < s->known_count; n++) {
        sampler_known_stack *known = &s->known[n];
        unsigned unused = n <= innermost ? 0 : known->unused + 1;
        bool fits = is_as_expected(s, r, n);
        if (fits && n <= innermost) {
            int32_t margin = known->expected.end - 1 - r->stacks[n].at;
            fits = margin >= MARGIN / 2 && margin <= MOST_MARGIN &&
                   known->expected.first == first_wanted(known->expected.end - 1, s->limit);
        }
        if (!fits && sampler_stackinfo_is_possible(&r->stacks[n]))
            expect(s, known, known->expected.address, &r->stacks[n]);
        known->unused = unused;
    }
    while (s->known[s->known_count - 1].unused > MOST_UNUSED)
        s->known_count--;
}

/* Returns the stack that was the innermost one just before the contexts were read, or -1: it was not
 * expected. */
static int find_innermost(const sampler_snapshot *s, const sampler_reading *r)
{
    int innermost = find_known(s, r->before.stackinfo);
    for (int n = 0; n <= innermost; n++)
        if (!is_as_expected(s, r, n))
            return -1;
    return innermost;
}

static void take_variables(sampler_snapshot *s, const sampler_reading *r)
{
    s->before = r->before.running;
    s->after = r->after.running;
    s->main_root = r->main_root;
    s->cop_seqmax = r->cop_seqmax;
    s->steady = r->before.stackinfo == r->after.stackinfo && s->before.op == s->after.op &&
                s->before.curcop == s->after.curcop;
}

/* Returns the innermost stack, or -1: it was not expected. */
static int take_reading(sampler_snapshot *s, const sampler_interpreter *i, const sampler_reading *r)
{
    sampler_contexts contexts[SAMPLER_STACKS];
    sampler_extent extents[SAMPLER_STACKS];
    int innermost = find_innermost(s, r);
    if (innermost < 0)
        return innermost;
    for (int n = 0; n <= innermost; n++) {
        const sampler_expected *e = &s->known[n].expected;
        contexts[n] = (sampler_contexts){&i->layout, r->contexts[n], e->first, e->end};
        extents[n] = sampler_contexts_extent(&contexts[n], r->stacks[n].at);
    }
    const sampler_extent *extent = &extents[innermost];
    take_variables(s, r);
    s->ended_count = sampler_contexts_ended(&contexts[innermost], extent->last, s->ended, SAMPLER_MOST_ENDED);
    s->is_ending = s->steady && extent->last == r->stacks[innermost].at - 1 && s->ended_count > 0;
    s->steady = s->steady && extent->last == r->stacks[innermost].at;
    s->unsure = sampler_contexts_count_calls(&contexts[innermost], extent->sub + 1, extent->last);
    s->count = 0;
    s->cut = false;
    for (int n = innermost; n >= 0; n--)
        add_stack(s, r->stacks[n].type, &contexts[n], extents[n].last);
    return innermost;
}

/* Takes what this sample may still read for the stacks that are expected, for inner ones first. Returns how
 * many contexts are read. */
static size_t reserve_contexts(sampler_snapshot *s)
{
    const size_t before = s->left;
    for (int n = s->known_count - 1; n >= 0; n--) {
        sampler_expected *e = &s->known[n].expected;
        e->first = MAX(e->first, first_wanted(e->end - 1, s->left));
        s->left -= (size_t)(e->end - e->first);
    }
    return before - s->left;
}

/* Reads the stacks. SAMPLER_TORN: they were not where they were expected, but are expected next. */
static enum sampler_taken read_stacks(sampler_snapshot *s, const sampler_interpreter *i)
{
    sampler_reading r;
    sampler_expected expected[SAMPLER_STACKS];
    size_t contexts = reserve_contexts(s);
    for (int n = 0; n < s->known_count; n++)
        expected[n] = s->known[n].expected;
    s->contexts = nytp_grown(s->contexts, &s->contexts_room, contexts * i->layout.cx_size, 1);
    enum sampler_taken taken =
        sampler_reading_take(&r, i, expected, s->known_count, s->stack_sp, s->contexts);
    if (taken == SAMPLER_GONE)
        return taken;
    s->stack_sp = taken == SAMPLER_TAKEN ? r.before.running.stack_sp : 0;
    int innermost = taken == SAMPLER_TAKEN ? take_reading(s, i, &r) : -1;
    if (innermost < 0) {
        expect_all(s, i, r.before.stackinfo);
        return SAMPLER_TORN;
    }
    expect_again(s, &r, innermost);
    return read_outer_stacks(s, i, r.stacks[0].previous) ? SAMPLER_TAKEN : SAMPLER_TORN;
}

static void turn_over(sampler_snapshot *s)
{
    for (size_t a = 0, b = s->count; a + 1 < b; a++, b--) {
        sampler_call call = s->calls[a];
        s->calls[a] = s->calls[b - 1];
        s->calls[b - 1] = call;
    }
}

/* Has the next reading read more of the stacks, where that may bring calls that are wanted. Returns false if
 * it may not. Blocks, loops and evals are contexts, too. */
static bool want_more(sampler_snapshot *s)
{
    size_t subs = 0;
    if (!s->cut || s->limit >= most_contexts(s))
        return false;
    for (size_t n = 0; n < s->count; n++)
        subs += s->calls[n].kind == SAMPLER_CALL_SUB;
    if (subs >= s->max_depth)
        return false;
    s->limit = MIN(4 * s->limit, most_contexts(s));
    s->known_count = 0;
    return true;
}

enum sampler_taken sampler_snapshot_take(sampler_snapshot *s, const sampler_interpreter *i)
{
    for (int tries = 0; tries < TRIES; tries++) {
        s->left = most_contexts(s);
        enum sampler_taken taken = read_stacks(s, i);
        if (taken == SAMPLER_GONE)
            return taken;
        if (taken == SAMPLER_TORN || want_more(s))
            continue;
        turn_over(s);
        s->sure = s->count - s->unsure;
        return SAMPLER_TAKEN;
    }
    return SAMPLER_TORN;
}

void sampler_snapshot_clear(sampler_snapshot *s)
{
    g_free(s->calls);
    g_free(s->contexts);
    memset(s, 0, sizeof *s);
}
