#include "calls/span_times.h"

#include "events/byte_at.h"
#include "events/levels.h"
#include "format/tags.h"
#include "model/hashes.h"
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
    nytp_span_part_fn *on_part;
    void *context;
    const nytp_names *names;
    const nytp_events *events;
    GArray *kinds; /* by sub, a byte */
    nytp_levels levels;
    GHashTable *waited; /* uint64_t *, double *: by id of a request, how many ticks its parts have waited */
    uint32_t pid;       /* of the current process */
    uint32_t processes; /* that have begun */
    double start_s;
};

nytp_span_times *nytp_span_times_new(nytp_span_time_fn *on_span, nytp_span_part_fn *on_part, void *context)
{
    nytp_span_times *t = g_new0(nytp_span_times, 1);
    t->on_span = on_span;
    t->on_part = on_part;
    t->waited = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, g_free);
    t->context = context;
    t->kinds = g_array_new(FALSE, TRUE, 1);
    t->levels = nytp_levels_new(sizeof(level), NULL);
    return t;
}

void nytp_span_times_free(nytp_span_times *times)
{
    if (times == NULL)
        return;
    g_array_unref(times->kinds);
    nytp_levels_free(&times->levels);
    g_hash_table_destroy(times->waited);
    g_free(times);
}

static uint8_t kind_of(const nytp_span_times *t, uint32_t sub)
{
    uint8_t *kind = nytp_byte_at(t->kinds, sub);
    nytp_label label;
    if (*kind == UNKNOWN) {
        const nytp_str name = nytp_names_get(t->names, sub);
        *kind = nytp_labels_split(NULL, name, &label) ? IS_SPAN : nytp_sub_waits(name) ? WAITS : OTHER;
    }
    return *kind;
}

typedef struct found {
    uint32_t sub, parts;
    double begin_ticks, latency_ticks; /* since the process began */
    double ticks, waited_ticks;        /* of its call, or of its parts together */
} found;

static void give_span(const nytp_span_times *t, const found *f, const nytp_call_event *call, uint64_t request)
{
    const double ticks_per_sec = nytp_events_ticks_per_sec(t->events);
    const double waited_ticks = fmin(fmax(f->waited_ticks, 0), f->ticks);
    nytp_label label;
    nytp_labels_split(NULL, nytp_names_get(t->names, f->sub), &label);
    t->on_span(t->context, &(nytp_span_time){.name = label.text,
                                             .sub = f->sub,
                                             .pid = t->pid,
                                             .process = MAX(t->processes, 1) - 1,
                                             .parts = f->parts,
                                             .begin_s = t->start_s + f->begin_ticks / ticks_per_sec,
                                             .latency_s = f->latency_ticks / ticks_per_sec,
                                             .work_s = (f->ticks - waited_ticks) / ticks_per_sec,
                                             .waiting_s = waited_ticks / ticks_per_sec,
                                             .call = call,
                                             .request = request});
}

static void end_span(const nytp_span_times *t, const nytp_call_event *call, double waited_ticks)
{
    const found f = {.sub = call->sub,
                     .parts = 1,
                     .begin_ticks = call->when.begin_ticks,
                     .latency_ticks = nytp_call_latency_ticks(call),
                     .ticks = fmax(call->incl_ticks, 0),
                     .waited_ticks = waited_ticks};
    give_span(t, &f, call, 0);
}

static void add_part(const nytp_span_times *t, const nytp_call_event *call, double waited_ticks)
{
    double *waited = g_hash_table_lookup(t->waited, &call->request);
    if (waited == NULL) {
        waited = g_new0(double, 1);
        g_hash_table_insert(t->waited, g_memdup2(&call->request, sizeof call->request), waited);
    }
    *waited += waited_ticks;
    if (t->on_part != NULL)
        t->on_part(t->context, call);
}

/* Without labels, its parts are not spans. */
static void on_request(void *sink, const nytp_request *request)
{
    nytp_span_times *t = sink;
    const double *waited = g_hash_table_lookup(t->waited, &request->id);
    if (waited == NULL)
        return;
    const found f = {.sub = request->sub,
                     .parts = request->parts,
                     .begin_ticks = request->begin_ticks,
                     .latency_ticks = request->end_ticks - request->begin_ticks,
                     .ticks = request->ticks,
                     .waited_ticks = *waited};
    if (request->is_run && kind_of(t, request->sub) == IS_SPAN)
        give_span(t, &f, NULL, request->id);
    g_hash_table_remove(t->waited, &request->id);
}

/* Removes the levels below a call that returns. Returns how long the calls that it made have waited. */
static double leave(nytp_span_times *t, uint32_t depth)
{
    level callees = {0};
    nytp_levels_leave(&t->levels, depth, &callees, sizeof callees);
    return callees.waited_ticks;
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_span_times *t = sink;
    const uint8_t kind = kind_of(t, call->sub);
    const double waited_ticks = leave(t, call->depth) + (kind == WAITS ? call->excl_ticks : 0);
    if (kind == IS_SPAN && call->request != 0)
        add_part(t, call, waited_ticks);
    else if (kind == IS_SPAN && call->count > 0)
        end_span(t, call, waited_ticks);
    ((level *)nytp_levels_at(&t->levels, call->depth))->waited_ticks += waited_ticks;
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_span_times *t = sink;
    nytp_levels_empty(&t->levels);
    g_hash_table_remove_all(t->waited);
    t->processes++;
    t->pid = chunk->pid_start.pid;
    t->start_s = chunk->pid_start.time_s;
}

void nytp_span_times_take(nytp_span_times *times, const nytp_names *names, nytp_events *events)
{
    static const nytp_sink type = {.on_call = on_call,
                                   .on_request = on_request,
                                   .on_chunk = on_chunk,
                                   .tags = NYTP_BIT(PID_START),
                                   .needs_clock = true};
    g_array_set_size(times->kinds, 0);
    nytp_levels_empty(&times->levels);
    times->names = names;
    times->events = events;
    nytp_events_add_sink(events, &type, times);
}
