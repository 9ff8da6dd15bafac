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

static void add(nytp_process_calls *calls, const nytp_chunk *chunk)
{
    if ((nytp_tag_bits[chunk->tag] & NYTP_TIMES) != 0 && !is_sampled(calls))
        nytp_course_add_statements(nytp_process_course_get(calls), chunk->time.ticks);
    if (chunk->tag != NYTP_SUB_RETURN)
        return;
    nytp_course_add_return(nytp_process_course_get(calls),
                           nytp_frames_of_raw(calls->frames, &chunk->sub_return.name),
                           chunk->sub_return.depth, chunk->sub_return.excl_ticks);
}

static void add_ticks(void *context, nytp_statement s)
{
    *(int64_t *)context += s.ticks;
}

static size_t read_runs(nytp_process_calls *calls, nytp_reader *reader)
{
    int64_t ticks = 0;
    nytp_course *course = nytp_process_course_get(calls);
    if (nytp_course_awaits_statement(course) || is_sampled(calls))
        return 0;
    size_t bytes = nytp_read_statements(reader, add_ticks, &ticks);
    if (bytes > 0)
        nytp_course_add_statements(course, (double)ticks);
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
