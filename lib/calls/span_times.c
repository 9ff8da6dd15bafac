#include "calls/span_times.h"

#include "events/levels.h"
#include "events/name_bytes.h"
#include "format/tags.h"
#include "model/waits.h"

#include <math.h>

/* Calls that have returned, and wait for the return of their caller. */
typedef struct level {
    uint32_t depth;
    double waited_ticks; /* by them, and by those that they made */
} level;

enum { UNKNOWN, IS_SPAN, WAITS, OTHER };

struct nytp_span_times {
    nytp_span_time_fn *on_span;
    void *context;
    const nytp_names *names;
    const nytp_events *events;
    GArray *kinds; /* by sub, a byte */
    nytp_levels levels;
    uint32_t pid;       /* of the current process */
    uint32_t processes; /* that have begun */
    double start_s;
};

nytp_span_times *nytp_span_times_new(nytp_span_time_fn *on_span, void *context)
{
    nytp_span_times *t = g_new0(nytp_span_times, 1);
    t->on_span = on_span;
    t->context = context;
    t->kinds = g_array_new(FALSE, TRUE, 1);
    t->levels = nytp_levels_new(sizeof(level));
    return t;
}

void nytp_span_times_free(nytp_span_times *times)
{
    if (times == NULL)
        return;
    g_array_unref(times->kinds);
    nytp_levels_free(&times->levels);
    g_free(times);
}

static bool is_span(nytp_str name, nytp_label *label)
{
    return nytp_labels_split(NULL, name, label) && label->kind == NYTP_LABEL_SPAN;
}

static uint8_t kind_of(const nytp_span_times *t, uint32_t sub)
{
    uint8_t *kind = nytp_byte_at(t->kinds, sub);
    nytp_label label;
    if (*kind == UNKNOWN) {
        const nytp_str name = nytp_names_get(t->names, sub);
        *kind = is_span(name, &label) ? IS_SPAN : nytp_sub_waits(name) ? WAITS : OTHER;
    }
    return *kind;
}

static void end_span(const nytp_span_times *t, const nytp_call_event *call, double waited_ticks)
{
    const double ticks_per_sec = nytp_events_ticks_per_sec(t->events), ticks = fmax(call->incl_ticks, 0);
    nytp_label label;
    is_span(nytp_names_get(t->names, call->sub), &label);
    t->on_span(t->context, &(nytp_span_time){.name = label.text,
                                             .pid = t->pid,
                                             .process = MAX(t->processes, 1) - 1,
                                             .begin_s = t->start_s + call->when.begin_ticks / ticks_per_sec,
                                             .latency_s = ticks / ticks_per_sec,
                                             .waiting_s = fmin(fmax(waited_ticks, 0), ticks) / ticks_per_sec,
                                             .call = call});
}

/* Removes the levels below a call that returns. Returns how long the calls that it made have waited. */
static double leave(nytp_span_times *t, uint32_t depth)
{
    double waited_ticks = 0;
    for (const level *l; (l = nytp_levels_below(&t->levels, depth)) != NULL;
         nytp_levels_remove_last(&t->levels))
        if (l->depth == depth + 1)
            waited_ticks = l->waited_ticks;
    return waited_ticks;
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_span_times *t = sink;
    const uint8_t kind = kind_of(t, call->sub);
    const double waited_ticks = leave(t, call->depth) + (kind == WAITS ? call->excl_ticks : 0);
    if (kind == IS_SPAN && call->count > 0)
        end_span(t, call, waited_ticks);
    ((level *)nytp_levels_at(&t->levels, call->depth))->waited_ticks += waited_ticks;
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_span_times *t = sink;
    t->levels.count = 0;
    t->processes++;
    t->pid = chunk->pid_start.pid;
    t->start_s = chunk->pid_start.time_s;
}

void nytp_span_times_take(nytp_span_times *times, const nytp_names *names, nytp_events *events)
{
    static const nytp_sink type = {
        .on_call = on_call, .on_chunk = on_chunk, .tags = NYTP_BIT(PID_START), .needs_clock = true};
    g_array_set_size(times->kinds, 0);
    times->levels.count = 0;
    times->names = names;
    times->events = events;
    nytp_events_add_sink(events, &type, times);
}
