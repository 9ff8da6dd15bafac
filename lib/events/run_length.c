#include "events/filters.h"

#include "events/events.h"
#include "format/tags.h"
#include "model/annotations.h"

#include <math.h>

typedef struct measuring {
    nytp_events *events;
    double longest_s;
    double begin_s, end_s;              /* of the profile: INFINITY and -INFINITY if no process has begun */
    double start_s;                     /* of the current process; NAN if none has begun */
    double statement_ticks, last_ticks; /* of the current process: by its statements, and by its calls */
} measuring;

static void end_process(measuring *m)
{
    const double ticks =
        fmax(m->statement_ticks + nytp_clock_uncounted(nytp_events_clock(m->events)), m->last_ticks);
    m->begin_s = fmin(m->begin_s, m->start_s);
    m->end_s = fmax(m->end_s, m->start_s + ticks / nytp_events_ticks_per_sec(m->events));
    m->statement_ticks = m->last_ticks = 0;
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    measuring *m = sink;
    end_process(m);
    m->start_s = chunk->pid_start.time_s;
}

static void on_time(void *sink, double ticks)
{
    ((measuring *)sink)->statement_ticks += ticks;
}

static void on_call(void *sink, const nytp_call_event *call)
{
    measuring *m = sink;
    m->last_ticks =
        fmax(m->last_ticks, call->when.begin_ticks + call->when.uncounted_ticks + fmax(call->incl_ticks, 0));
}

static void begin_profile(measuring *m)
{
    m->begin_s = INFINITY;
    m->end_s = -INFINITY;
    m->start_s = NAN;
}

static void end_profile(void *sink)
{
    measuring *m = sink;
    end_process(m);
    m->longest_s = fmax(m->longest_s, m->end_s - m->begin_s);
    begin_profile(m);
}

double nytp_run_begin_s(nytp_reader *reader)
{
    double begin_s = INFINITY;
    bool is_merged = false;
    nytp_chunk chunk;
    nytp_reader_set_tags(reader, NYTP_BIT(COMMENT) | NYTP_BIT(PID_START));
    while (nytp_reader_next(reader, &chunk) == NYTP_OK) {
        if (chunk.tag == NYTP_COMMENT)
            is_merged |= nytp_annotation_kind(chunk.comment.text) == NYTP_BEGINS_ANNOTATIONS;
        else if (!is_merged)
            return 0;
        else
            begin_s = fmin(begin_s, chunk.pid_start.time_s);
    }
    return isfinite(begin_s) ? begin_s : 0;
}

double nytp_run_length_s(nytp_reader *reader)
{
    static const nytp_sink sink = {.on_call = on_call,
                                   .on_time = on_time,
                                   .on_chunk = on_chunk,
                                   .tags = NYTP_BIT(PID_START),
                                   .needs_time = true,
                                   .needs_clock = true};
    nytp_names *names = nytp_names_new();
    measuring m = {.events = nytp_events_new(names)};
    begin_profile(&m);
    nytp_events_add_sink(m.events, &sink, &m);
    nytp_events_read_all(m.events, reader, end_profile, &m);
    nytp_events_free(m.events);
    nytp_names_free(names);
    return m.longest_s;
}
