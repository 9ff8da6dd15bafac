#include "calls.h"

#include "base/str.h"
#include "calls/calltree.h"
#include "events/filters.h"

#include <string.h>

static const uint32_t NOT_FOUND = UINT32_MAX - 1; /* no sub has this number */

bool dprofpp_is_in_order(const dprofpp_options *o)
{
    return o->form == DPROFPP_CALLS || o->form == DPROFPP_FOLDED;
}

void dprofpp_calls_free(dprofpp_calls *c)
{
    if (c == NULL)
        return;
    dprofpp_subtimes_clear(&c->times);
    nytp_callorder_free(c->order);
    nytp_durations_free(c->durations);
    nytp_sub_waits_free(c->waits);
    nytp_process_times_free(c->processes);
    nytp_profile_free(c->sums);
    nytp_events_free(c->events);
    nytp_calltree_free(c->tree);
    nytp_names_free(c->raw);
    nytp_labels_free(c->labels);
    nytp_names_free(c->label_names);
    g_free(c);
}

/* Whether the times of a tmon.out are added up for each sub as they are read. Labels are found in the tree.
 */
static bool times_subs(const dprofpp_options *o)
{
    return o->form == DPROFPP_TABLE && o->labels == NYTP_LABEL_NONE;
}

/* Whether SUB_ENTRY chunks are needed. They give the order of first calls of subs, and which calls are
 * outermost. In a nytprof.out they do not name the sub, so they are used only for a tmon.out. */
static bool wants_entries(const dprofpp_options *o)
{
    return times_subs(o) || (o->sort == DPROFPP_SORT_FOUND && o->form != DPROFPP_TABLE);
}

static void add_attribute(dprofpp_calls *c, nytp_str key, nytp_str value)
{
    static const char *const names[DPROFPP_HEADER_NUMBERS] = {
        "dprof_rrun_utime", "dprof_rrun_stime", "dprof_rrun_rtime", "dprof_over_utime",
        "dprof_over_stime", "dprof_over_rtime", "dprof_over_tests"};
    nytp_memory_about_note(&c->memory, key, value);
    if (c->labels != NULL && nytp_str_is(key, "labels") && !nytp_labels_add(c->labels, value))
        g_error("out of memory for labels");
    if (key.length < 6 || memcmp(key.bytes, "dprof_", 6) != 0)
        return;
    c->is_dprof = true;
    const int i = nytp_str_index(key, names, DPROFPP_HEADER_NUMBERS);
    if (i >= 0 && i <= DPROFPP_RUN_REAL)
        c->run_ticks[i] = nytp_str_number(value);
    else if (i >= 0)
        c->header[i] = nytp_str_number(value);
    c->has_run |= i == DPROFPP_RUN_REAL;
}

static void end_stacks(dprofpp_calls *c)
{
    nytp_calltree_end_stack(c->tree);
    dprofpp_subtimes_end_stack(&c->times);
    if (c->order != NULL)
        nytp_callorder_add(c->order, (nytp_ordered_call){.sub = NYTP_CALLS_END});
}

static void begin_process(dprofpp_calls *c, double time_s)
{
    const double ticks_per_s = nytp_events_ticks_per_sec(c->events);
    if (c->ticks_per_s == 0)
        c->ticks_per_s = ticks_per_s;
    c->scale = c->ticks_per_s / ticks_per_s;
    nytp_calltree_set_scale(c->tree, c->scale);
    nytp_calltree_set_sampled(c->tree, nytp_events_is_sampled(c->events));
    for (int i = DPROFPP_RUN_USER; i <= DPROFPP_RUN_REAL; i++) {
        c->header[i] += c->run_ticks[i] * c->scale;
        c->run_ticks[i] = 0;
    }
    c->started_s = time_s;
    end_stacks(c);
    nytp_calltree_begin_process(c->tree);
    c->has_process = true;
    c->some_dprof |= c->is_dprof;
    c->some_other |= !c->is_dprof;
}

/* Returns the number of the shown name. */
static uint32_t shown_sub(dprofpp_calls *c, uint32_t raw)
{
    const nytp_names *names = nytp_calltree_names(c->tree);
    const uint32_t known = nytp_names_count(names), sub = nytp_calltree_shown(c->tree, raw);
    if (sub == known && c->options->root != NULL && nytp_str_is(nytp_names_get(names, sub), c->options->root))
        c->times.root = sub;
    return sub;
}

static void on_call(void *sink, const nytp_call_event *call)
{
    dprofpp_calls *c = sink;
    const uint32_t sub = shown_sub(c, call->sub);
    c->count++;
    if (c->order != NULL)
        nytp_callorder_add(c->order, (nytp_ordered_call){.sub = sub, .depth = call->depth});
    else if (c->is_dprof && times_subs(c->options))
        dprofpp_subtimes_leave(&c->times, sub, call->incl_ticks * c->scale, call->excl_ticks * c->scale);
    else
        nytp_calltree_add_call(c->tree, call);
}

static void on_time(void *sink, double ticks)
{
    nytp_calltree_add_time(((dprofpp_calls *)sink)->tree, ticks);
}

static void on_sample(void *sink, const nytp_sample_event *sample)
{
    nytp_calltree_add_samples(((dprofpp_calls *)sink)->tree, sample->count);
}

static size_t read_run(void *sink, nytp_reader *reader)
{
    dprofpp_calls *c = sink;
    if (c->order != NULL || c->is_dprof)
        return 0;
    const uint64_t before = c->tree->calls;
    const size_t count = nytp_calltree_read_run(c->tree, reader);
    c->count += c->tree->calls - before;
    return count;
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    dprofpp_calls *c = sink;
    if (c->sums != NULL)
        nytp_profile_add(c->sums, chunk);
    switch (chunk->tag) {
    case NYTP_SUB_ENTRY:
        if (c->is_dprof)
            dprofpp_subtimes_enter(&c->times,
                                   shown_sub(c, nytp_names_intern(c->raw, &chunk->sub_entry.name, NULL)));
        break;
    case NYTP_ATTRIBUTE: add_attribute(c, chunk->attribute.key, chunk->attribute.value); break;
    case NYTP_PID_START: begin_process(c, chunk->pid_start.time_s); break;
    case NYTP_PID_END:
        c->elapsed_s += chunk->pid_end.time_s - c->started_s;
        c->overhead_ticks += nytp_reader_dprof_overhead(c->reader) * c->scale;
        c->left_out_ticks += nytp_filters_left_out_ticks(c->reader) * c->scale;
        break;
    default: break;
    }
}

dprofpp_calls *dprofpp_calls_new(const dprofpp_options *options)
{
    dprofpp_calls *c = g_new0(dprofpp_calls, 1);
    c->options = options;
    c->measure = nytp_measure_new(); /* until a profile ends */
    c->raw = nytp_names_new();
    c->tree = nytp_calltree_new_of(c->raw, dprofpp_rename, (gpointer)options);
    if (options->show_root)
        nytp_calltree_show_root(c->tree);
    c->sink = (nytp_sink){.on_call = on_call,
                          .on_time = on_time,
                          .on_sample = on_sample,
                          .on_chunk = on_chunk,
                          .tags = nytp_tag_bit(NYTP_ATTRIBUTE) | nytp_tag_bit(NYTP_PID_START) |
                                  nytp_tag_bit(NYTP_PID_END) |
                                  (wants_entries(options) ? nytp_tag_bit(NYTP_SUB_ENTRY) : 0),
                          .needs_time = options->show_root || nytp_least_is_given(options->min) ||
                                        options->form == DPROFPP_JSON,
                          .read_run = read_run};
    if (dprofpp_columns_have(&options->columns, DPROFPP_KEPT, DPROFPP_KEPT)) {
        c->sums = nytp_profile_new();
        c->sink.tags |= nytp_tag_bit(NYTP_SUB_CALLERS);
    }
    c->events = nytp_events_new(c->raw);
    nytp_events_add_sink(c->events, &c->sink, c);
    if (c->sink.needs_time)
        nytp_calltree_read_whole(c->tree);
    c->order = dprofpp_is_in_order(options) ? nytp_callorder_new() : NULL;
    if (dprofpp_columns_have(&options->columns, NYTP_P50, DPROFPP_WORK - 1)) {
        c->durations = nytp_durations_new(c->raw);
        nytp_durations_take(c->durations, c->events);
    }
    if (dprofpp_columns_have(&options->columns, DPROFPP_WORK, DPROFPP_QUEUED)) {
        c->waits = nytp_sub_waits_new(c->raw);
        nytp_sub_waits_take(c->waits, c->events);
    }
    if (options->form == DPROFPP_TABLE) {
        c->processes = nytp_process_times_new();
        nytp_process_times_take(c->processes, c->events);
    }
    dprofpp_subtimes_init(&c->times);
    c->labels = options->labels != NYTP_LABEL_NONE ? nytp_labels_new() : NULL;
    if (options->root != NULL)
        c->times.root = NOT_FOUND; /* until its name is read */
    return c;
}

int dprofpp_calls_read(void *context, nytp_reader *reader)
{
    dprofpp_calls *c = context;
    c->reader = reader;
    const int rc = nytp_events_read(c->events, reader);
    if (c->has_process && !c->is_dprof && !nytp_events_is_sampled(c->events))
        nytp_reader_set_tags(reader, nytp_events_tags(c->events) &
                                         ~nytp_tag_bit(NYTP_SUB_ENTRY)); /* they have no names */
    return rc;
}

void dprofpp_calls_end_profile(dprofpp_calls *c)
{
    end_stacks(c);
    c->measure = *nytp_events_measure(c->events); /* a cut profile may have no process */
    c->is_dprof = c->has_process = false;
    nytp_events_end_profile(c->events);
    nytp_calltree_set_sampled(c->tree, false);
}
