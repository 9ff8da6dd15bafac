#include "calls/process_course.h"

#include "format/runs.h"
#include "format/tags.h"

typedef struct process_course {
    nytp_process_calls calls;
    nytp_course *course;
} process_course;

nytp_course *nytp_process_course_get(nytp_process_calls *calls)
{
    return ((const process_course *)calls)->course;
}

static void begin_process(nytp_process_calls *calls)
{
    nytp_course_end_stack(nytp_process_course_get(calls));
}

static bool is_sampled(nytp_process_calls *calls)
{
    return nytp_process_calls_current(calls)->sampled_hz > 0;
}

static void add_return(nytp_course *course, nytp_frames *frames, nytp_return returned)
{
    nytp_course_add_return(course, nytp_frames_of_raw(frames, &returned.name), returned.depth,
                           returned.excl_ticks);
}

static void add(nytp_process_calls *calls, const nytp_chunk *chunk)
{
    if ((nytp_tag_bits[chunk->tag] & NYTP_TIMES) != 0 && !is_sampled(calls))
        nytp_course_add_statements(nytp_process_course_get(calls), chunk->time.ticks);
    if (chunk->tag == NYTP_SUB_RETURN)
        add_return(nytp_process_course_get(calls), calls->frames, nytp_get_return(chunk));
}

typedef struct run {
    nytp_course *course;
    nytp_frames *frames;
    int64_t ticks; /* of statements, which the course does not have yet */
    size_t returns;
} run;

static void give_statements(run *r)
{
    nytp_course_add_statements(r->course, (double)r->ticks);
    r->ticks = 0;
}

static inline void add_statement(void *context, nytp_statement s)
{
    run *r = context;
    r->ticks += s.ticks;
    if (nytp_course_awaits_statement(r->course))
        give_statements(r);
}

static inline void add_returned(void *context, const nytp_return *returned)
{
    run *r = context;
    if (r->ticks != 0)
        give_statements(r);
    add_return(r->course, r->frames, *returned);
    r->returns++;
}

static size_t read_runs(nytp_process_calls *calls, nytp_reader *reader)
{
    run r = {nytp_process_course_get(calls), calls->frames, 0, 0};
    if (is_sampled(calls))
        return 0;
    size_t bytes = nytp_read_events(reader, add_statement, add_returned, &r);
    if (r.ticks != 0)
        give_statements(&r);
    nytp_process_calls_count_returns(calls, r.returns);
    return bytes / NYTP_SHORT_STATEMENT_MAX;
}

static void clear(nytp_process_calls *calls)
{
    nytp_course_free(nytp_process_course_get(calls));
}

nytp_process_calls *nytp_process_course_new(bool keep_evals, bool with_pauses)
{
    static const nytp_calls_product product = {begin_process, add, read_runs, clear};
    process_course *c = g_new0(process_course, 1);
    nytp_process_calls_init(&c->calls, &product, keep_evals);
    c->calls.tags = with_pauses ? NYTP_TIMES | NYTP_BIT(DISCOUNT) : 0;
    c->calls.reads_runs = with_pauses;
    c->course = nytp_course_new();
    return &c->calls;
}
