#include "calls/process_calls.h"

typedef struct process_course {
    nytp_process_calls calls;
    nytp_course *course;
    nytp_memory_curve memory;
    nytp_process_requests *requests;
} process_course;

nytp_course *nytp_process_course_get(nytp_process_calls *calls)
{
    return ((const process_course *)calls)->course;
}

const nytp_memory_curve *nytp_process_course_memory(const nytp_process_calls *calls)
{
    return &((const process_course *)calls)->memory;
}

nytp_process_requests *nytp_process_course_requests(const nytp_process_calls *calls)
{
    return ((const process_course *)calls)->requests;
}

static void begin_process(nytp_process_calls *calls)
{
    nytp_course_end_stack(nytp_process_course_get(calls));
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_process_calls *c = sink;
    nytp_process_calls_count_returns(c, 1);
    nytp_course_add_return(nytp_process_course_get(c), nytp_frames_of(c->frames, call->sub), call->depth,
                           call->excl_ticks + call->when.own_uncounted_ticks, call->when.begin_ticks);
}

static void on_memory(void *sink, const nytp_memory_at *memory)
{
    nytp_process_calls *c = sink;
    nytp_process_calls_current(c);
    nytp_memory_curve_add(&((process_course *)c)->memory, c->processes->len - 1,
                          memory->ticks / nytp_events_ticks_per_sec(c->events), memory);
}

static void on_request(void *sink, const nytp_request *request)
{
    nytp_process_calls *c = sink;
    const double per_s = nytp_events_ticks_per_sec(c->events);
    const uint32_t frame = nytp_frames_of(c->frames, request->sub);
    nytp_process_calls_current(c);
    nytp_process_requests_add(
        nytp_process_course_requests(c),
        &(nytp_process_request){.process = c->processes->len - 1,
                                .frame = nytp_frames_without_trace(c->frames, frame),
                                .begin_s = request->begin_ticks / per_s,
                                .length_s = (request->end_ticks - request->begin_ticks) / per_s});
}

static void clear(nytp_process_calls *calls)
{
    nytp_process_requests_free(nytp_process_course_requests(calls));
    nytp_course_free(nytp_process_course_get(calls));
    nytp_memory_curve_free(&((process_course *)calls)->memory);
}

nytp_process_calls *nytp_process_course_new(bool keep_evals, bool has_traces)
{
    enum { MOST_POINTS = 1 << 16 };
    static const nytp_calls_product product = {begin_process, clear};
    process_course *c = g_new0(process_course, 1);
    nytp_process_calls_init(&c->calls, &product, keep_evals);
    c->calls.sink.on_call = on_call;
    c->calls.sink.on_memory = on_memory;
    c->calls.sink.on_request = on_request;
    c->calls.sink.needs_clock = true;
    c->calls.sink.names_traces = has_traces;
    nytp_events_add_sink(c->calls.events, &c->calls.sink, c);
    c->course = nytp_course_new(true);
    c->memory = nytp_memory_curve_new(MOST_POINTS);
    c->requests = nytp_process_requests_new();
    return &c->calls;
}
