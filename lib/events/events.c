/* The stream of events: its sinks, and how it makes events of chunks, one by one. */
#include "events/filters.h"
#include "events/state.h"
#include "format/marks.h"
#include "model/grow.h"
#include "model/measure.h"
#include "model/read.h"

nytp_events *nytp_events_new(nytp_names *names)
{
    nytp_events *e = g_new0(nytp_events, 1);
    e->names = names;
    e->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    e->measure = nytp_measure_new();
    e->next = nytp_memory_unknown;
    nytp_open_samples_init(&e->samples);
    e->places = nytp_open_places_new();
    e->subs = nytp_known_subs_new();
    nytp_clock_init(&e->clock, sizeof(nytp_clock_level), NULL);
    e->waits = nytp_waits_new();
    e->watched_from = -INFINITY;
    e->watched_to = INFINITY;
    e->traces = nytp_traces_new();
    e->requests = nytp_requests_new();
    e->coroutines = nytp_coroutines_new();
    return e;
}

void nytp_events_free(nytp_events *events)
{
    if (events == NULL)
        return;
    nytp_open_samples_clear(&events->samples);
    nytp_open_places_free(&events->places);
    nytp_known_subs_clear(&events->subs);
    nytp_clock_clear(&events->clock);
    nytp_waits_clear(&events->waits);
    nytp_traces_clear(&events->traces);
    nytp_requests_clear(&events->requests);
    nytp_coroutines_clear(&events->coroutines);
    g_free(events->sinks);
    g_free(events->call_takers);
    g_free(events);
}

void nytp_events_add_sink(nytp_events *events, const nytp_sink *type, void *sink)
{
    events->sinks = g_renew(nytp_added_sink, events->sinks, events->count + 1);
    events->sinks[events->count++] = (nytp_added_sink){type, sink};
    events->sinks_tags |= type->on_chunk != NULL ? type->tags : 0;
    if (type->on_call != NULL) {
        events->call_takers = g_renew(nytp_call_taker, events->call_takers, events->call_taker_count + 1);
        events->call_takers[events->call_taker_count++] = (nytp_call_taker){type->on_call, sink};
    }
    events->needs_line |= type->needs_line;
    events->needs_clock |= type->needs_clock;
    events->needs_waited |= type->needs_waited;
    events->is_watched |= type->on_statement != NULL && !type->needs_statements;
    if (type->needs_statements) {
        events->on_statement = type->on_statement;
        events->statement_sink = sink;
    }
    events->traces.names_subs |= type->names_traces;
}

void nytp_events_set_profile(nytp_events *events, nytp_profile *profile)
{
    events->profile = profile;
}

bool nytp_events_is_sampled(const nytp_events *events)
{
    return events->is_sampled;
}

const nytp_measure *nytp_events_measure(const nytp_events *events)
{
    return &events->measure;
}

const nytp_process_clock *nytp_events_clock(const nytp_events *events)
{
    return &events->clock;
}

void nytp_events_watch(nytp_events *events, double from_ticks, double to_ticks)
{
    events->watched_from = from_ticks;
    events->watched_to = to_ticks;
}

void nytp_events_keep_recent(nytp_events *events, nytp_recent *recent)
{
    events->recent = recent;
}

bool nytp_events_measure_waits(const nytp_events *events)
{
    return events->waits.are_measured;
}

double nytp_events_ticks_per_sec(const nytp_events *events)
{
    return events->ticks_per_sec;
}

uint32_t nytp_events_tags(const nytp_events *events)
{
    return NYTP_BIT(ATTRIBUTE) | NYTP_BIT(PID_START) | events->sinks_tags |
           (nytp_events_want_calls(events) ? NYTP_BIT(SUB_RETURN) : 0) |
           (events->needs_line ? NYTP_BIT(SUB_ENTRY) : 0) |
           (nytp_events_want_time(events) || events->needs_clock || events->on_statement != NULL
                ? NYTP_TIMES | NYTP_BIT(DISCOUNT)
                : 0) |
           (events->needs_clock
                ? NYTP_BIT(OPTION) | NYTP_BIT(PID_END) | NYTP_BIT(SUB_INFO) | NYTP_BIT(SUB_CALLERS)
                : 0) |
           (events->profile != NULL ? nytp_profile_tags() : 0);
}

static void enter_call(nytp_events *e, nytp_place place)
{
    nytp_open_samples_enter(&e->samples);
    if (e->needs_line)
        nytp_open_places_enter(&e->places, place);
}

/* ---- chunks, one by one ---- */

/* Called before a statement is added. */
static void look_at_statement(nytp_events *e, const nytp_statement *statement)
{
    if (nytp_events_keep_some(e))
        nytp_recent_add(e->recent, *statement);
    if (e->is_watched)
        nytp_events_watch_statement(e, statement, e->clock.statement_ticks);
    if (e->on_statement != NULL)
        e->on_statement(e->statement_sink, statement);
}

static void take_clock(nytp_events *e, const nytp_mark *mark)
{
    if (!e->needs_clock)
        return;
    const double before_ticks = e->clock.statement_ticks;
    nytp_clock_mark(&e->clock, mark);
    if (nytp_events_keep_some(e))
        nytp_recent_add_gap(e->recent, e->clock.statement_ticks - before_ticks);
    NYTP_EACH_SINK(e, on_mark, s->sink);
}

static void take_memory(nytp_events *e, const nytp_mark *mark)
{
    nytp_memory_at memory;
    if (nytp_clock_memory(&e->clock, mark, &memory))
        NYTP_EACH_SINK(e, on_memory, s->sink, &memory);
}

static void take_request(nytp_events *e, const nytp_mark *mark)
{
    nytp_request ended;
    if (!nytp_request_is_end(mark))
        e->requests.returned = (uint64_t)mark->request.id;
    else if (nytp_requests_end(&e->requests, mark, &ended))
        NYTP_EACH_SINK(e, on_request, s->sink, &ended);
}

/* A request that has not ended ends with its process. */
static void end_requests(nytp_events *e)
{
    GArray *open = e->requests.open;
    NYTP_EACH(nytp_request, request, open) {
        request->end_ticks = fmax(nytp_clock_true_now(&e->clock), request->begin_ticks);
        if (e->needs_clock)
            NYTP_EACH_SINK(e, on_request, s->sink, request);
    }
    g_array_set_size(open, 0);
    e->requests.returned = 0;
}

static void take_waited(nytp_events *e, const nytp_mark *mark)
{
    const nytp_waited waited = nytp_waited_of(mark);
    if (!e->needs_waited)
        return;
    e->waits.are_measured = true;
    if (mark->waited.of_process != 0)
        nytp_events_give_waited(e, waited);
    else
        nytp_events_add_waited(e, (uint32_t)mark->waited.depth, waited);
}

static void switch_coroutine(nytp_events *e, double number)
{
    const uint32_t to = (uint32_t)fmin(number, UINT32_MAX);
    nytp_coroutines_switch(&e->coroutines, to);
    nytp_traces_switch(&e->traces, to);
}

static void add_setting(nytp_events *e, const nytp_chunk *chunk)
{
    const double rate = nytp_str_number(chunk->attribute.value);
    if (nytp_str_is(chunk->attribute.key, "ticks_per_sec") && nytp_is_rate(rate))
        e->ticks_per_sec = rate;
    nytp_measure_note(&e->measure, chunk->attribute.key, chunk->attribute.value);
    e->is_sampled = nytp_measure_is_sampled(&e->measure);
}

static void add_attribute(nytp_events *e, const nytp_chunk *chunk)
{
    nytp_mark mark;
    if (!nytp_mark_read(chunk, &mark) && mark.kind != NYTP_NO_MARK)
        return;
    switch (mark.kind) {
    case NYTP_NO_MARK: add_setting(e, chunk); break;
    case NYTP_MARK_CLOCK: take_clock(e, &mark); break;
    case NYTP_MARK_COROUTINE: switch_coroutine(e, mark.coroutine.number); break;
    case NYTP_MARK_PARTS: e->parts = mark.parts.count; break;
    case NYTP_MARK_REQUEST: take_request(e, &mark); break;
    case NYTP_MARK_TRACE_CONTEXT: nytp_traces_note(&e->traces, &mark); break;
    case NYTP_MARK_MEMORY: e->next = nytp_memory_read(chunk->attribute.value); break;
    case NYTP_MARK_MEMORY_AT: take_memory(e, &mark); break;
    case NYTP_MARK_STATE: nytp_waits_note_state(&e->waits, &mark); break; /* the profile adds them up */
    case NYTP_MARK_WAITS: e->waits.are_measured = true; break;
    case NYTP_MARK_WAITED: take_waited(e, &mark); break;
    case NYTP_MARK_WAIT_FOR_CPU:
    case NYTP_MARK_PROCESS_CPU:
    case NYTP_MARK_PROCESS_CUT:
    case NYTP_MARK_SAMPLED_LOST:
    case NYTP_MARK_KEPT:
    case NYTP_MARK_LEFT:
    case NYTP_MARK_EVAL_BEGIN: /* evals.c makes calls of evals */
    case NYTP_MARK_EVAL_END:
    case NYTP_MARK_HEAP_RECORDS: /* lib/memory reads them */
    case NYTP_MARK_HEAP_FILE:
    case NYTP_MARK_HEAP_MARK: break;
    }
}

static void add_statement(nytp_events *e, const nytp_chunk *chunk)
{
    const uint64_t count = e->discount ? 0 : e->next.blocks;
    e->discount = false;
    e->next = nytp_memory_unknown;
    if (e->needs_clock)
        nytp_clock_add_statements(&e->clock, chunk->time.ticks);
    if (e->is_sampled || (chunk->time.ticks != 0 && nytp_events_want_time(e)))
        nytp_events_give_time(e, chunk->time.ticks);
    if (!e->is_sampled)
        return;
    nytp_open_samples_add(&e->samples, count);
    const nytp_sample_event sample = {count, e->samples.depth, chunk->time.fid, chunk->time.line};
    NYTP_EACH_SINK(e, on_sample, s->sink, &sample);
}

static void add_return(nytp_events *e, const nytp_chunk *chunk)
{
    nytp_return returned = nytp_get_return(chunk);
    returned.is_part = e->parts > 0;
    e->parts -= returned.is_part;
    returned.request = e->requests.returned;
    e->requests.returned = 0;
    if (nytp_events_want_calls(e))
        nytp_events_give_call(e, &returned);
}

/* No call is open. */
static void reset(nytp_events *e)
{
    e->places.depth = 0;
    e->parts = 0;
    nytp_clock_reset(&e->clock);
    nytp_waits_reset(&e->waits);
    nytp_traces_forget(&e->traces);
    nytp_coroutines_reset(&e->coroutines);
    if (e->recent != NULL)
        nytp_recent_reset(e->recent);
}

static void begin_process(nytp_events *e)
{
    nytp_open_samples_reset(&e->samples);
    reset(e);
    NYTP_EACH_SINK(e, on_process, s->sink);
}

void nytp_events_add(nytp_events *events, const nytp_chunk *chunk)
{
    const uint32_t bit = nytp_tag_bits[chunk->tag & 0xFF];
    if (chunk->tag == NYTP_PID_START)
        end_requests(events); /* before a sink takes the chunk */
    if (events->is_sampled && (bit & NYTP_TIMES) != 0)
        nytp_events_add_waited(events, events->samples.depth,
                               nytp_waits_take_sample(&events->waits, chunk->time.ticks));
    if (events->profile != NULL && (bit & NYTP_TIMES) != 0)
        look_at_statement(events, &(const nytp_statement){.fid = chunk->time.fid,
                                                          .line = chunk->time.line,
                                                          .ticks = chunk->time.ticks,
                                                          .executions = !events->profile->discount});
    if (events->profile != NULL)
        nytp_profile_add(events->profile, chunk);
    for (guint i = 0; (events->sinks_tags & bit) != 0 && i < events->count; i++)
        if ((events->sinks[i].type->tags & bit) != 0)
            events->sinks[i].type->on_chunk(events->sinks[i].sink, chunk);
    switch (chunk->tag) {
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: add_statement(events, chunk); break;
    case NYTP_DISCOUNT: events->discount = events->is_sampled; break;
    case NYTP_SUB_ENTRY: enter_call(events, (nytp_place){chunk->sub_entry.fid, chunk->sub_entry.line}); break;
    case NYTP_SUB_RETURN: add_return(events, chunk); break;
    case NYTP_ATTRIBUTE: add_attribute(events, chunk); break;
    case NYTP_OPTION:
        nytp_clock_note_option(&events->clock, chunk->attribute.key, chunk->attribute.value);
        break;
    case NYTP_SUB_INFO:
    case NYTP_SUB_CALLERS:
        if (events->needs_clock || events->on_statement != NULL)
            nytp_known_subs_add(&events->subs, chunk);
        break;
    case NYTP_PID_START: begin_process(events); break;
    case NYTP_PID_END: nytp_clock_end(&events->clock); break;
    case NYTP_NEW_FID:
    case NYTP_SRC_LINE:
    case NYTP_COVER_UNIT:
    case NYTP_COVER_HIT:
    case NYTP_COMMENT:
    case NYTP_START_DEFLATE:
    case NYTP_VERSION: break;
    }
}

void nytp_events_end_profile(nytp_events *events)
{
    end_requests(events);
    NYTP_EACH_SINK(events, on_end_profile, s->sink);
    events->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    events->measure = nytp_measure_new();
    events->next = nytp_memory_unknown;
    events->is_sampled = events->discount = false;
    reset(events);
    nytp_clock_end_profile(&events->clock);
    nytp_waits_end_profile(&events->waits);
    nytp_known_subs_forget(&events->subs);
}
