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
    GArray *kinds;                    /* by sub, a byte */
    GHashTable *open;                 /* uint64_t *, open_request *: by id */
    nytp_waited waited, parts_waited; /* how long the process did, and of that the parts of requests */
    uint32_t pid;                     /* of the current process */
    uint32_t processes;               /* that have begun */
    double start_s;
};

/* A request of which a part has returned. */
typedef struct open_request {
    nytp_waited waited;      /* its parts */
    nytp_waited loop_waited; /* what was outside of parts when it began */
    double begin_ticks;      /* what had been counted then */
} open_request;

nytp_span_times *nytp_span_times_new(nytp_span_time_fn *on_span, nytp_span_part_fn *on_part, void *context)
{
    nytp_span_times *t = g_new0(nytp_span_times, 1);
    t->on_span = on_span;
    t->on_part = on_part;
    t->open = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, g_free);
    t->context = context;
    t->kinds = g_array_new(FALSE, TRUE, 1);
    return t;
}

void nytp_span_times_free(nytp_span_times *times)
{
    if (times == NULL)
        return;
    g_array_unref(times->kinds);
    g_hash_table_destroy(times->open);
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
    nytp_waited waited;                /* and how long those waited, */
    nytp_waited loop_waited;           /* and the event loop between them */
    double others_ticks;
} found;

static void give_span(const nytp_span_times *t, const found *f, const nytp_call_event *call, uint64_t request)
{
    const double ticks_per_sec = nytp_events_ticks_per_sec(t->events);
    const nytp_waited waited = nytp_waited_within(f->waited, f->ticks);
    const nytp_between between = {f->loop_waited.asleep_ticks / ticks_per_sec,
                                  f->loop_waited.queued_ticks / ticks_per_sec,
                                  f->others_ticks / ticks_per_sec};
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
                                             .between = between,
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

/* Returns how long the process has waited outside of the parts of requests. */
static nytp_waited loop_waited(const nytp_span_times *t)
{
    return (nytp_waited){t->waited.asleep_ticks - t->parts_waited.asleep_ticks,
                         t->waited.queued_ticks - t->parts_waited.queued_ticks};
}

/* The first part that returns began with the request, and nothing else ran in between. */
static open_request *open_of(const nytp_span_times *t, const nytp_call_event *call)
{
    open_request *open = g_hash_table_lookup(t->open, &call->request);
    if (open != NULL)
        return open;
    open = g_new0(open_request, 1);
    open->loop_waited = loop_waited(t);
    open->begin_ticks = nytp_clock_now(nytp_events_clock(t->events)) - fmax(call->incl_ticks, 0);
    g_hash_table_insert(t->open, g_memdup2(&call->request, sizeof call->request), open);
    return open;
}

static void add_part(nytp_span_times *t, const nytp_call_event *call)
{
    nytp_waited_add(&t->parts_waited, call->waited.incl);
    nytp_waited_add(&open_of(t, call)->waited, call->waited.incl);
    if (t->on_part != NULL)
        t->on_part(t->context, call);
}

/* Sets what passed between the parts of a request. */
static void find_others(const nytp_span_times *t, const open_request *open, found *f)
{
    const double passed_ticks = nytp_clock_now(nytp_events_clock(t->events)) - open->begin_ticks;
    const double between_ticks = fmax(fmin(passed_ticks, f->latency_ticks) - f->ticks, 0);
    const nytp_waited now = loop_waited(t);
    const nytp_waited waited = {fmax(now.asleep_ticks - open->loop_waited.asleep_ticks, 0),
                                fmax(now.queued_ticks - open->loop_waited.queued_ticks, 0)};
    f->loop_waited = nytp_waited_within(waited, between_ticks);
    f->others_ticks = between_ticks - nytp_waited_ticks(f->loop_waited);
}

/* Without labels, its parts are not spans. */
static void on_request(void *sink, const nytp_request *request)
{
    nytp_span_times *t = sink;
    const open_request *open = g_hash_table_lookup(t->open, &request->id);
    if (open == NULL)
        return;
    found f = {.sub = request->sub,
               .parts = request->parts,
               .begin_ticks = request->begin_ticks,
               .latency_ticks = request->end_ticks - request->begin_ticks,
               .ticks = request->ticks,
               .waited = open->waited};
    find_others(t, open, &f);
    if (request->is_run && kind_of(t, request->sub) == IS_SPAN)
        give_span(t, &f, NULL, request->id);
    g_hash_table_remove(t->open, &request->id);
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

static void on_waited(void *sink, nytp_waited waited)
{
    nytp_waited_add(&((nytp_span_times *)sink)->waited, waited);
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_span_times *t = sink;
    g_hash_table_remove_all(t->open);
    t->waited = t->parts_waited = (nytp_waited){0};
    t->processes++;
    t->pid = chunk->pid_start.pid;
    t->start_s = chunk->pid_start.time_s;
}

void nytp_span_times_take(nytp_span_times *times, const nytp_names *names, nytp_events *events)
{
    static const nytp_sink type = {.on_call = on_call,
                                   .on_request = on_request,
                                   .on_chunk = on_chunk,
                                   .on_waited = on_waited,
                                   .tags = NYTP_BIT(PID_START),
                                   .needs_clock = true,
                                   .needs_waited = true};
    g_array_set_size(times->kinds, 0);
    times->names = names;
    times->events = events;
    nytp_events_add_sink(events, &type, times);
}
