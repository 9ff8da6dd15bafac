#include "calls/derive_arcs.h"

#include "base/str.h"
#include "base/ticks.h"
#include "calls/calltree.h"
#include "events/known_subs.h"
#include "format/tags.h"
#include "model/measure.h"

#include <string.h>

/* What calls that are summed up have in common. */
typedef struct called {
    const nytp_known_sub *sub;
    nytp_place place, as_xsub;
} called;

/* A record that was looked up, and its number. */
typedef struct recent_called {
    called key;
    uint32_t number;
} recent_called;

enum { RECENT = 1 << 10 };

typedef struct sum_calls {
    nytp_filter filter;
    nytp_names *names;
    nytp_records called; /* called */
    recent_called recent[RECENT];
    nytp_calltree *tree; /* whose subs are numbers of records in called */
    double ticks_per_sec;
    nytp_measure measure;
} sum_calls;

static inline bool is_same(const called *a, const called *b)
{
    return a->sub == b->sub && a->place.fid == b->place.fid && a->place.line == b->place.line &&
           a->as_xsub.fid == b->as_xsub.fid && a->as_xsub.line == b->as_xsub.line;
}

static uint32_t number_of(sum_calls *f, const called *key)
{
    const uint64_t hash = ((uint64_t)(uintptr_t)key->sub >> 4) + key->place.line * 31 + key->as_xsub.line;
    recent_called *r = &f->recent[hash % RECENT];
    if (!is_same(&r->key, key))
        *r = (recent_called){*key, nytp_records_number(&f->called, key, NULL)};
    return r->number;
}

static void on_return(nytp_filter *filter, const nytp_return *returned)
{
    sum_calls *f = (sum_calls *)filter;
    const called key = {returned->sub, returned->place, returned->as_xsub};
    nytp_calltree_add_return(f->tree, number_of(f, &key), returned->depth, !returned->is_part,
                             returned->excl_ticks);
    nytp_filter_pass_return(filter, returned);
}

static void take_attribute(sum_calls *f, nytp_str key, nytp_str value)
{
    nytp_measure_note(&f->measure, key, value);
    if (nytp_str_is(key, "ticks_per_sec") && nytp_is_rate(nytp_str_number(value)))
        f->ticks_per_sec = nytp_str_number(value);
}

static void on_chunk(nytp_filter *filter, const nytp_chunk *chunk)
{
    sum_calls *f = (sum_calls *)filter;
    if (chunk->tag == NYTP_ATTRIBUTE)
        take_attribute(f, chunk->attribute.key, chunk->attribute.value);
    if (chunk->tag == NYTP_PID_START)
        nytp_calltree_end_stack(f->tree);
    if (chunk->tag != NYTP_SUB_CALLERS || nytp_is_xsub_mark(chunk))
        nytp_filter_pass(filter, chunk);
}

void nytp_arc_chunks(const nytp_arc *arc, const nytp_names *names, double ticks_per_sec,
                     void (*add)(void *context, const nytp_chunk *chunk), void *context)
{
    nytp_chunk chunk = {.tag = NYTP_SUB_CALLERS,
                        .sub_callers = {.fid = arc->fid,
                                        .line = arc->line,
                                        .caller = nytp_names_get(names, arc->caller),
                                        .called = nytp_names_get(names, arc->callee),
                                        .incl_s = (double)arc->incl_ticks / ticks_per_sec,
                                        .excl_s = (double)arc->excl_ticks / ticks_per_sec,
                                        .reci_s = (double)arc->reci_ticks / ticks_per_sec,
                                        .max_depth = arc->max_depth}};
    uint64_t left = arc->count;
    do {
        chunk.sub_callers.count = (uint32_t)MIN(left, UINT32_MAX);
        add(context, &chunk);
        chunk.sub_callers.incl_s = chunk.sub_callers.excl_s = chunk.sub_callers.reci_s = 0;
        left -= chunk.sub_callers.count;
    } while (left > 0);
}

static void pass_sums(void *context, const nytp_chunk *chunk)
{
    nytp_filter_pass(context, chunk);
}

static nytp_called called_of(void *context, uint32_t node_sub)
{
    sum_calls *f = context;
    const called *c = nytp_records_at(&f->called, node_sub);
    const bool is_xsub = c->as_xsub.fid != 0 && c->sub->kind == NYTP_NO_STATEMENTS;
    return (nytp_called){.sub = nytp_names_intern(f->names, &c->sub->name, NULL),
                         .place = is_xsub ? c->as_xsub : c->place};
}

/* Samples do not count calls, and parts of calls have time alone. */
static void pass_arc(sum_calls *f, nytp_arc arc)
{
    const int64_t ticks = nytp_add_ticks(arc.incl_ticks, arc.reci_ticks);
    const bool is_sampled = nytp_measure_is_sampled(&f->measure);
    if (ticks <= 0 && (is_sampled || arc.count == 0))
        return;
    arc.count = is_sampled ? 1 : arc.count;
    nytp_arc_chunks(&arc, f->names, f->ticks_per_sec, pass_sums, &f->filter);
}

static void begin(sum_calls *f)
{
    nytp_records_init(&f->called, sizeof(called), sizeof(called));
    memset(f->recent, 0, sizeof f->recent);
    f->tree = nytp_calltree_new_of(f->names, NULL, NULL);
    f->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    f->measure = nytp_measure_new();
}

static void forget(nytp_filter *filter)
{
    sum_calls *f = (sum_calls *)filter;
    nytp_records_clear(&f->called);
    nytp_calltree_free(f->tree);
}

static void end(nytp_filter *filter)
{
    const nytp_str outside = nytp_str_of(NYTP_RUNTIME);
    sum_calls *f = (sum_calls *)filter;
    nytp_records arcs = nytp_arcs_of_stacks(nytp_calltree_stacks(f->tree), called_of, f,
                                            nytp_names_intern(f->names, &outside, NULL), 1);
    NYTP_EACH_RECORD(const nytp_arc, arc, &arcs)
        pass_arc(f, *arc);
    nytp_records_clear(&arcs);
    forget(filter);
    begin(f);
}

static void clear(nytp_filter *filter)
{
    sum_calls *f = (sum_calls *)filter;
    forget(filter);
    nytp_names_free(f->names);
}

nytp_filter *nytp_sum_calls_new(void)
{
    static const nytp_filter_type type = {
        .returned = on_return, .chunk = on_chunk, .end = end, .clear = clear};
    sum_calls *f = g_new0(sum_calls, 1);
    f->filter = (nytp_filter){.type = &type,
                              .tags = NYTP_BIT(SUB_RETURN) | NYTP_BIT(PID_START) | NYTP_BIT(ATTRIBUTE) |
                                      NYTP_BIT(SUB_INFO) | NYTP_BIT(SUB_CALLERS)};
    f->names = nytp_names_new();
    begin(f);
    return &f->filter;
}
