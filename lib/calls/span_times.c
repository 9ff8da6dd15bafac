#include "calls/span_sample.h"

#include "events/byte_at.h"
#include "format/tags.h"
#include "model/hashes.h"

#include <math.h>

enum { UNKNOWN, IS_SPAN, OTHER };

struct nytp_span_times {
    nytp_span_time_fn *on_span;
    nytp_span_part_fn *on_part;
    void *context;
    const nytp_names *names;
    const nytp_events *events;
    GArray *kinds;      /* by sub, a byte */
    GHashTable *waited; /* uint64_t *, nytp_waited *: by id of a request, how long its parts have waited */
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
    return t;
}

void nytp_span_times_free(nytp_span_times *times)
{
    if (times == NULL)
        return;
    g_array_unref(times->kinds);
    g_hash_table_destroy(times->waited);
    g_free(times);
}

static uint8_t kind_of(const nytp_span_times *t, uint32_t sub)
{
    uint8_t *kind = nytp_byte_at(t->kinds, sub);
    nytp_label label;
    if (*kind == UNKNOWN) {
        const nytp_str name = nytp_names_get(t->names, sub);
        *kind = nytp_labels_split(NULL, name, &label) ? IS_SPAN : OTHER;
    }
    return *kind;
}

typedef struct found {
    uint32_t sub, parts;
    double begin_ticks, latency_ticks; /* since the process began */
    double ticks;                      /* of its call, or of its parts together, */
    nytp_waited waited;                /* and how long those waited */
} found;

static void give_span(const nytp_span_times *t, const found *f, const nytp_call_event *call, uint64_t request)
{
    const double ticks_per_sec = nytp_events_ticks_per_sec(t->events);
    const nytp_waited waited = nytp_waited_within(f->waited, f->ticks);
    nytp_label label;
    nytp_labels_split(NULL, nytp_names_get(t->names, f->sub), &label);
    t->on_span(t->context, &(nytp_span_time){.name = label.text,
                                             .sub = f->sub,
                                             .pid = t->pid,
                                             .process = MAX(t->processes, 1) - 1,
                                             .parts = f->parts,
                                             .begin_s = t->start_s + f->begin_ticks / ticks_per_sec,
                                             .latency_s = f->latency_ticks / ticks_per_sec,
                                             .work_s = (f->ticks - nytp_waited_ticks(waited)) / ticks_per_sec,
                                             .asleep_s = waited.asleep_ticks / ticks_per_sec,
                                             .queued_s = waited.queued_ticks / ticks_per_sec,
                                             .call = call,
                                             .request = request});
}

static void end_span(const nytp_span_times *t, const nytp_call_event *call)
{
    const found f = {.sub = call->sub,
                     .parts = 1,
                     .begin_ticks = call->when.begin_ticks,
                     .latency_ticks = nytp_call_latency_ticks(call),
                     .ticks = fmax(call->incl_ticks, 0),
                     .waited = call->waited.incl};
    give_span(t, &f, call, 0);
}

static void add_part(const nytp_span_times *t, const nytp_call_event *call)
{
    nytp_waited *waited = g_hash_table_lookup(t->waited, &call->request);
    if (waited == NULL) {
        waited = g_new0(nytp_waited, 1);
        g_hash_table_insert(t->waited, g_memdup2(&call->request, sizeof call->request), waited);
    }
    nytp_waited_add(waited, call->waited.incl);
    if (t->on_part != NULL)
        t->on_part(t->context, call);
}

/* Without labels, its parts are not spans. */
static void on_request(void *sink, const nytp_request *request)
{
    nytp_span_times *t = sink;
    const nytp_waited *waited = g_hash_table_lookup(t->waited, &request->id);
    if (waited == NULL)
        return;
    const found f = {.sub = request->sub,
                     .parts = request->parts,
                     .begin_ticks = request->begin_ticks,
                     .latency_ticks = request->end_ticks - request->begin_ticks,
                     .ticks = request->ticks,
                     .waited = *waited};
    if (request->is_run && kind_of(t, request->sub) == IS_SPAN)
        give_span(t, &f, NULL, request->id);
    g_hash_table_remove(t->waited, &request->id);
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_span_times *t = sink;
    if (kind_of(t, call->sub) != IS_SPAN)
        return;
    if (call->request != 0)
        add_part(t, call);
    else if (call->count > 0)
        end_span(t, call);
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_span_times *t = sink;
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
                                   .needs_clock = true,
                                   .needs_waited = true};
    g_array_set_size(times->kinds, 0);
    times->names = names;
    times->events = events;
    nytp_events_add_sink(events, &type, times);
}
