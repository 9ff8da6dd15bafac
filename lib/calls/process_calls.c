#include "calls/process_calls.h"

#include "base/str.h"
#include "format/tags.h"
#include "model/display.h"
#include "model/grow.h"
#include "model/measure.h"

void nytp_process_calls_free(nytp_process_calls *calls)
{
    if (calls == NULL)
        return;
    calls->product->clear(calls);
    nytp_events_free(calls->events);
    nytp_frames_free(calls->frames);
    nytp_profile_free(calls->profile);
    g_array_free(calls->processes, TRUE);
    g_string_chunk_free(calls->texts);
    g_free(calls);
}

const nytp_process_of_calls *nytp_process_calls_processes(const nytp_process_calls *calls, size_t *count)
{
    *count = calls->processes->len;
    return (const nytp_process_of_calls *)(void *)calls->processes->data;
}

uint64_t nytp_process_calls_count(const nytp_process_calls *calls)
{
    return calls->count;
}

static nytp_str application_of(nytp_process_calls *c)
{
    size_t length;
    g_autofree char *name = nytp_name_utf8(nytp_profile_attribute(c->profile, "application"), &length);
    const char *kept = g_string_chunk_insert_len(c->texts, name, (gssize)length);
    return (nytp_str){kept, length, true};
}

static void add_process(nytp_process_calls *c, nytp_process process)
{
    nytp_process_of_calls p = {.process = process,
                               .application = application_of(c),
                               .is_cpu_time = nytp_profile_has_cpu_clock(c->profile),
                               .ticks_per_sec = nytp_profile_ticks_per_sec(c->profile),
                               .measure = nytp_profile_measure(c->profile)};
    const nytp_setting *of = nytp_profile_setting_by_key(c->profile, NYTP_ATTRIBUTE, "memory_of");
    if (of != NULL)
        p.memory_of = g_string_chunk_insert_len(c->texts, of->value.bytes, (gssize)of->value.length);
    g_array_append_val(c->processes, p);
    c->product->begin_process(c);
}

nytp_process_of_calls *nytp_process_calls_current(nytp_process_calls *calls)
{
    if (calls->processes->len == calls->first)
        add_process(calls, (nytp_process){0});
    return &g_array_index(calls->processes, nytp_process_of_calls, calls->processes->len - 1);
}

void nytp_process_calls_count_returns(nytp_process_calls *calls, size_t count)
{
    nytp_process_calls_current(calls)->calls += count;
    calls->count += count;
}

static void add_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_process_calls *c = sink;
    nytp_profile_add(c->profile, chunk);
    if (chunk->tag == NYTP_PID_START)
        add_process(c, (nytp_process){.pid = chunk->pid_start.pid,
                                      .parent = chunk->pid_start.parent,
                                      .start_s = chunk->pid_start.time_s});
}

void nytp_process_calls_init(nytp_process_calls *calls, const nytp_calls_product *product, bool keep_evals)
{
    enum { TEXT_BLOCK = 1024 };
    *calls = (nytp_process_calls){.product = product,
                                  .frames = nytp_frames_new(keep_evals),
                                  .profile = nytp_profile_new(),
                                  .processes = NYTP_ZEROED_ARRAY(nytp_process_of_calls),
                                  .texts = g_string_chunk_new(TEXT_BLOCK)};
    calls->sink.on_chunk = add_chunk;
    calls->sink.tags = NYTP_BIT(ATTRIBUTE) | NYTP_BIT(OPTION) | NYTP_BIT(PID_START) | NYTP_BIT(PID_END) |
                       NYTP_BIT(NEW_FID) | NYTP_BIT(SUB_INFO) | NYTP_BIT(SUB_CALLERS);
    calls->events = nytp_events_new(nytp_frames_names(calls->frames));
}

uint32_t nytp_process_calls_tags(const nytp_process_calls *calls)
{
    return nytp_events_tags(calls->events);
}

int nytp_process_calls_read(void *calls, nytp_reader *reader)
{
    return nytp_events_read(((nytp_process_calls *)calls)->events, reader);
}

/* The profile knows which processes have ended. It has all of ours, except that of calls before the first
 * one.
 */
static void note_ends(nytp_process_calls *c)
{
    const size_t count = nytp_profile_process_count(c->profile);
    for (size_t i = 0; i < count; i++) {
        guint at = c->processes->len - (guint)(count - i);
        nytp_process_of_calls *ours = &g_array_index(c->processes, nytp_process_of_calls, at);
        ours->process = *nytp_profile_process(c->profile, i);
        ours->process.application = ours->application; /* lives longer than the profile */
    }
}

void nytp_process_calls_end_profile(nytp_process_calls *calls)
{
    note_ends(calls);
    nytp_events_end_profile(calls->events);
    nytp_frames_locate(calls->frames, calls->profile);
    nytp_profile_free(calls->profile);
    calls->profile = nytp_profile_new();
    calls->first = calls->processes->len;
}
