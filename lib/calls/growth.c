#include "calls/growth.h"

#include "events/levels.h"
#include "format/marks.h"
#include "model/grow.h"
#include "model/records.h"

#include <math.h>

/* Less than this is not growth. */
enum { FEWEST_SPANS = 20 };
static const double least_each = 0.5;

/* A cache that fills leaves less and less: what each span leaves may change by this factor. */
static const double most_change = 2;

/* What spans that have ended within a call that goes on have left. */
typedef struct level {
    uint32_t depth;
    double values;
} level;

typedef struct left {
    uint64_t count;
    double values;
} left;

/* The spans of a label in the current process: all of them, and the first N of them, for the last two powers
 * of 2 that N has reached. */
typedef struct label {
    uint32_t sub;
    left all, half, doubled;
} label;

struct nytp_growth {
    const nytp_names *names;
    GArray *found; /* nytp_span_growth */
    bool has_next; /* the call that returns next is a span */
    double next_values; /* how many values that span has left behind */
    /* of the current process */
    uint32_t pid;
    double most_values;
    nytp_levels levels;
    nytp_records labels; /* label */
};

static void begin_process(nytp_growth *g, uint32_t pid)
{
    g->pid = pid;
    g->most_values = 0;
    g->has_next = false;
    nytp_levels_empty(&g->levels);
    nytp_records_init(&g->labels, sizeof(label), sizeof(uint32_t));
}

nytp_growth *nytp_growth_new(const nytp_names *names)
{
    nytp_growth *g = g_new0(nytp_growth, 1);
    g->names = names;
    g->found = NYTP_ARRAY(nytp_span_growth);
    g->levels = nytp_levels_new(sizeof(level), NULL);
    begin_process(g, 0);
    return g;
}

void nytp_growth_free(nytp_growth *growth)
{
    if (growth == NULL)
        return;
    g_array_unref(growth->found);
    nytp_levels_free(&growth->levels);
    nytp_records_clear(&growth->labels);
    g_free(growth);
}

/* Parts of a request add up; the first one counts. */
static void add_span(nytp_growth *g, const nytp_call_event *call, double values)
{
    const label key = {.sub = call->sub};
    label *l = nytp_records_at(&g->labels, nytp_records_number(&g->labels, &key, NULL));
    l->all.count += call->count;
    l->all.values += values;
    if (l->all.count == 2 * l->doubled.count || l->doubled.count == 0) {
        l->half = l->doubled;
        l->doubled = l->all;
    }
}

/* A span returns, or a call within which some may have ended. */
static __attribute__((noinline)) void end_call(nytp_growth *g, const nytp_call_event *call)
{
    level within = {0};
    nytp_levels_leave(&g->levels, call->depth, &within, sizeof within);
    level *here = nytp_levels_at(&g->levels, call->depth);
    here->values += g->has_next ? g->next_values : within.values;
    if (g->has_next)
        add_span(g, call, g->next_values - within.values);
    g->has_next = false;
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_growth *g = sink;
    if (g->has_next || nytp_levels_below(&g->levels, call->depth) != NULL)
        end_call(g, call);
}

static void on_memory(void *sink, const nytp_memory_at *memory)
{
    nytp_growth *g = sink;
    g->most_values = fmax(g->most_values, memory->values);
}

/* Adds the growth of a label in a process. Keeps that of the process in which its spans left most. */
static void add_found(const nytp_growth *g, nytp_span_growth grown)
{
    NYTP_EACH(nytp_span_growth, before, g->found) {
        if (before->name != grown.name)
            continue;
        if (before->values < grown.values)
            *before = grown;
        return;
    }
    g_array_append_val(g->found, grown);
}

/* Whether the later spans leave about as much as the first ones. */
static bool goes_on(const label *l)
{
    const left *first = &l->half, *all = &l->all;
    const double first_each = first->values / (double)first->count,
                 later_each = (all->values - first->values) / (double)(all->count - first->count);
    return later_each * most_change >= first_each && later_each <= first_each * most_change;
}

static void end_process(nytp_growth *g)
{
    NYTP_EACH_RECORD(const label, l, &g->labels) {
        const bool grows = l->all.count >= FEWEST_SPANS && l->all.values >= least_each * (double)l->all.count;
        if (grows && goes_on(l))
            add_found(g, (nytp_span_growth){l->sub, g->pid, l->all.count, l->all.values, g->most_values});
    }
    nytp_records_clear(&g->labels);
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_growth *g = sink;
    nytp_mark mark;
    if (chunk->tag == NYTP_PID_START) {
        end_process(g);
        begin_process(g, chunk->pid_start.pid);
    } else if (nytp_mark_read(chunk, &mark) && mark.kind == NYTP_MARK_LEFT) {
        g->has_next = true;
        g->next_values = mark.left.values;
    }
}

void nytp_growth_take(nytp_growth *growth, nytp_events *events)
{
    static const nytp_sink type = {.on_call = on_call,
                                   .on_memory = on_memory,
                                   .on_chunk = on_chunk,
                                   .tags = NYTP_BIT(PID_START) | NYTP_BIT(ATTRIBUTE)};
    nytp_events_add_sink(events, &type, growth);
}

const GArray *nytp_growth_get(nytp_growth *growth)
{
    end_process(growth);
    begin_process(growth, growth->pid);
    return growth->found;
}

nytp_str nytp_growth_name(const nytp_growth *growth, uint32_t name)
{
    return nytp_names_get(growth->names, name);
}
