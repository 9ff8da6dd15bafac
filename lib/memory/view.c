#include "memory/view.h"

#include "base/error.h"
#include "base/str.h"
#include "bytes/source.h"
#include "format/heap.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "memory/history.h"
#include "memory/kept.h"

#include <math.h>
#include <string.h>

/* ---- the profile of time */

typedef struct reading {
    const nytp_memory_view *view;
    const nytp_filter_options *filters;
    nytp_memory_named named;
    GArray *processes; /* nytp_memory_process */
    GStringChunk *texts;
    nytp_memory_history *history; /* which follows streams; NULL: none does */
    double end_s;                 /* of what is asked for, since the first process began */
    uint32_t views;               /* how many processes have one */
    nytp_kept kept;
    bool has_records;             /* some process */
    bool lacks_date;              /* which the range needs */
} reading;

static nytp_str keep(const reading *r, nytp_str text)
{
    return (nytp_str){g_string_chunk_insert_len(r->texts, text.bytes, (gssize)text.length), text.length,
                      text.utf8};
}

static nytp_memory_process *current(const reading *r)
{
    return r->processes->len > 0 ? &g_array_index(r->processes, nytp_memory_process, r->processes->len - 1)
                                 : NULL;
}

/* Attributes that are of time alone. */
static bool is_of_time(nytp_str key)
{
    static const char *const keys[] = {"ticks_per_sec", "heap", "heap_holders", "labels", "unit"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (nytp_str_is(key, keys[i]))
            return true;
    return false;
}

static void take_value(nytp_memory_process *process, const nytp_chunk *chunk)
{
    const size_t prefix = strlen(NYTP_VALUES_KEY);
    const nytp_str key = chunk->attribute.key;
    if (key.length <= prefix || memcmp(key.bytes, NYTP_VALUES_KEY, prefix) != 0)
        return;
    const nytp_str type = {key.bytes + prefix, key.length - prefix, false};
    for (int i = 0; i < NYTP_VALUE_TYPE_COUNT; i++)
        if (nytp_str_is(type, nytp_value_types[i]))
            process->values[i] = nytp_str_number(chunk->attribute.value);
}

static void take_setting(reading *r, const nytp_chunk *chunk)
{
    nytp_chunk kept = *chunk;
    if (nytp_str_is(chunk->attribute.key, "heap"))
        r->named.rate_bytes = nytp_str_number(chunk->attribute.value);
    if (is_of_time(chunk->attribute.key))
        return;
    kept.attribute.key = keep(r, chunk->attribute.key);
    kept.attribute.value = keep(r, chunk->attribute.value);
    g_array_append_val(r->named.settings, kept);
}

static double first_s(const reading *r)
{
    return r->filters->begin_s != 0
               ? r->filters->begin_s
               : g_array_index(r->processes, nytp_memory_process, 0).start.pid_start.time_s;
}

/* Returns when a process began, since the first one did. */
static double begin_of(const reading *r, const nytp_memory_process *process)
{
    return process->start.pid_start.time_s - first_s(r);
}

/* Times are those of the run. Returns NULL if the process began after what is asked for. */
static nytp_memory_stream *stream_new(reading *r, const nytp_memory_process *process, double ticks_per_s)
{
    const double begin_s = begin_of(r, process);
    nytp_memory_view view = *r->view;
    if (nytp_stretch_is_given(&r->filters->range))
        r->lacks_date |= !nytp_stretch_since(&r->filters->range, first_s(r), &view.begin.s, &view.end.s);
    r->end_s = view.end.s;
    if (view.begin.s > 0)
        view.begin.s -= begin_s;
    view.end.s -= begin_s;
    if (view.end.s <= 0)
        return NULL;
    nytp_memory_stream *stream = nytp_memory_stream_new(&view, r->named.rate_bytes, ticks_per_s);
    if (r->history != NULL)
        nytp_memory_history_follow(r->history, stream, &r->named, r->processes->len - 1, begin_s);
    return stream;
}

static bool is_moment(const nytp_mark *mark, const char *name)
{
    const nytp_str words = mark->words;
    return name != NULL && mark->kind == NYTP_MARK_HEAP_MARK && words.length > 0 &&
           nytp_str_is((nytp_str){words.bytes + 1, words.length - 1, words.utf8}, name);
}

/* What was kept is counted up to moments that have names. */
static void note_kept(const reading *r, const nytp_memory_process *process, nytp_kept_counts *moment)
{
    nytp_kept_note_calls(&r->kept, moment);
    memcpy(moment->values, process->values, sizeof moment->values);
}

static void take_mark(reading *r, nytp_memory_process *process, const nytp_mark *mark, double ticks_per_s)
{
    const char *end = r->view->end.name != NULL ? r->view->end.name : NYTP_HEAP_END;
    if (process->stream == NULL && r->named.rate_bytes >= 1)
        process->stream = stream_new(r, process, ticks_per_s);
    if (process->stream != NULL && nytp_memory_stream_add(process->stream, mark))
        memcpy(process->taken_values, process->values, sizeof process->values);
    if (is_moment(mark, r->view->begin.name))
        note_kept(r, process, &r->kept.begin);
    if (is_moment(mark, end))
        note_kept(r, process, &r->kept.end);
}

static void take_attribute(reading *r, const nytp_chunk *chunk, double ticks_per_s)
{
    nytp_mark mark;
    nytp_memory_process *process = current(r);
    if (process == NULL) {
        take_setting(r, chunk);
        return;
    }
    switch (nytp_mark_read(chunk, &mark) ? mark.kind : NYTP_NO_MARK) {
    case NYTP_MARK_HEAP_RECORDS:
    case NYTP_MARK_HEAP_FILE:
    case NYTP_MARK_HEAP_MARK: take_mark(r, process, &mark, ticks_per_s); break;
    case NYTP_MARK_KEPT: r->kept.next = mark; break;
    default: take_value(process, chunk); break;
    }
}

static void begin_process(const reading *r, const nytp_chunk *chunk)
{
    const nytp_memory_process process = {.start = *chunk};
    g_array_append_val(r->processes, process);
    if (r->history != NULL)
        nytp_memory_history_begin(r->history);
}

static void end_process(const reading *r, const nytp_chunk *chunk)
{
    for (guint i = r->processes->len; i-- > 0;) {
        nytp_memory_process *process = &g_array_index(r->processes, nytp_memory_process, i);
        if (process->start.pid_start.pid != chunk->pid_end.pid || process->end.tag == NYTP_PID_END)
            continue;
        process->end = *chunk;
        return;
    }
}

static void take_file(reading *r, const nytp_chunk *chunk)
{
    enum { MOST_FIDS = 1 << 24 };
    if (chunk->new_fid.fid == 0 || chunk->new_fid.fid > MOST_FIDS)
        return;
    nytp_chunk *kept = g_memdup2(chunk, sizeof *chunk);
    kept->new_fid.name = keep(r, chunk->new_fid.name);
    r->named.last_fid = MAX(r->named.last_fid, kept->new_fid.fid);
    g_hash_table_insert(r->named.files, GUINT_TO_POINTER(kept->new_fid.fid), kept);
}

static void take_sub(const reading *r, const nytp_chunk *chunk)
{
    const uint32_t number = nytp_names_intern(r->named.subs, &chunk->sub_info.name, NULL);
    if (r->named.infos->len <= number)
        g_array_set_size(r->named.infos, number + 1);
    nytp_chunk *kept = &g_array_index(r->named.infos, nytp_chunk, number);
    *kept = *chunk;
    kept->sub_info.name = nytp_names_get(r->named.subs, number);
}

static void take_arc(reading *r, const nytp_chunk *chunk)
{
    nytp_kept_add(&r->kept, nytp_names_intern(r->named.subs, &chunk->sub_callers.called, NULL), chunk);
}

static void take(reading *r, const nytp_chunk *chunk, double ticks_per_s)
{
    switch (chunk->tag) {
    case NYTP_ATTRIBUTE: take_attribute(r, chunk, ticks_per_s); break;
    case NYTP_PID_START: begin_process(r, chunk); break;
    case NYTP_PID_END: end_process(r, chunk); break;
    case NYTP_NEW_FID: take_file(r, chunk); break;
    case NYTP_SUB_INFO: take_sub(r, chunk); break;
    case NYTP_SUB_CALLERS: take_arc(r, chunk); break;
    default: break;
    }
}

/* Whether nothing of a process is left at the moment that is asked for, of several processes. */
static bool is_gone(const reading *r, double end_s)
{
    const bool is_of_moment = r->view->of == NYTP_MEMORY_LIVE || r->view->of == NYTP_MEMORY_GROWN;
    return is_of_moment && r->processes->len > 1 && r->end_s < INFINITY && end_s > 0 && end_s < r->end_s;
}

static bool end_stream(reading *r, guint number)
{
    nytp_memory_process *process = &g_array_index(r->processes, nytp_memory_process, number);
    const bool has_end = process->end.tag == NYTP_PID_END;
    const double end_s = has_end ? process->end.pid_end.time_s - process->start.pid_start.time_s : 0;
    r->has_records |= process->stream != NULL;
    if (r->history != NULL && has_end)
        nytp_memory_history_end(r->history, number, begin_of(r, process) + end_s);
    const bool has_view = process->stream != NULL && nytp_memory_stream_end(process->stream, end_s);
    if (has_view && !is_gone(r, end_s > 0 ? begin_of(r, process) + end_s : 0))
        return true;
    g_clear_pointer(&process->stream, nytp_memory_stream_free);
    return false;
}

/* Whether it is known what calls have kept at the moments that are asked for. Several processes have one sum.
 */
static bool is_kept_known(const reading *r)
{
    const nytp_memory_view *view = r->view;
    const bool is_named =
        view->begin.s <= 0 && r->end_s == INFINITY && !nytp_stretch_is_given(&r->filters->range);
    return is_named && (view->of == NYTP_MEMORY_LIVE || view->of == NYTP_MEMORY_GROWN) &&
           r->processes->len == 1 && !r->kept.is_lacking && r->kept.end.values[NYTP_VALUES_OF_bytes] > 0;
}

/* ---- the view */

static int append(void *bytes, const void *data, size_t size)
{
    g_byte_array_append(bytes, data, (guint)size);
    return 0;
}

static nytp_source *source_of(const reading *r, const char *name, nytp_error *err)
{
    GByteArray *bytes = g_byte_array_new();
    nytp_writer *writer = nytp_writer_new(nytp_sink_callback(append, bytes, name), 0);
    nytp_source *source = NULL;
    const int rc = writer != NULL ? nytp_memory_profile_write(r->processes, &r->named,
                                                              nytp_memory_of_names[r->view->of], writer)
                                  : NYTP_ERR_MEMORY;
    if (rc < 0)
        nytp_fail(err, rc, "%s: %s", name,
                  writer != NULL ? nytp_writer_error(writer)->message : "out of memory");
    else
        source = nytp_source_prepend(nytp_source_memory("", 0, name), bytes->data, bytes->len);
    nytp_writer_free(writer);
    g_byte_array_unref(bytes);
    return source;
}

static void read_streams(reading *r, nytp_reader *reader)
{
    nytp_chunk chunk;
    r->processes = NYTP_ZEROED_ARRAY(nytp_memory_process);
    r->named.settings = NYTP_ARRAY(nytp_chunk);
    r->named.files = g_hash_table_new_full(nytp_hash_of_number, NULL, NULL, g_free);
    r->named.subs = nytp_names_new();
    r->named.infos = NYTP_ZEROED_ARRAY(nytp_chunk);
    nytp_kept_init(&r->kept);
    r->texts = g_string_chunk_new(4096);
    nytp_reader_set_tags(reader, nytp_tag_bit(NYTP_ATTRIBUTE) | nytp_tag_bit(NYTP_PID_START) |
                                     nytp_tag_bit(NYTP_PID_END) | nytp_tag_bit(NYTP_NEW_FID) |
                                     nytp_tag_bit(NYTP_SUB_INFO) | nytp_tag_bit(NYTP_SUB_CALLERS));
    while (nytp_reader_next(reader, &chunk) == NYTP_OK)
        take(r, &chunk, nytp_reader_ticks_per_sec(reader));
    for (guint i = 0; i < r->processes->len; i++)
        r->views += end_stream(r, i);
    if (r->view->end.name == NULL) /* all calls have returned */
        nytp_kept_note_calls(&r->kept, &r->kept.end);
    if (r->views == 1 && is_kept_known(r))
        nytp_memory_stream_keep(current(r)->stream, &r->kept, &r->named);
}

static void reading_clear(reading *r)
{
    NYTP_EACH(nytp_memory_process, process, r->processes)
        nytp_memory_stream_free(process->stream);
    g_array_unref(r->processes);
    g_array_unref(r->named.settings);
    g_hash_table_unref(r->named.files);
    nytp_names_free(r->named.subs);
    g_array_unref(r->named.infos);
    nytp_kept_clear(&r->kept);
    g_string_chunk_free(r->texts);
}

nytp_source *nytp_memory_view_source(nytp_reader *reader, const nytp_memory_view *view,
                                     const nytp_filter_options *filters, const char *name, nytp_error *err)
{
    reading r = {.view = view, .filters = filters};
    nytp_source *source = NULL;
    read_streams(&r, reader);
    if (r.views > 0 ||
        (r.processes->len == 0 && nytp_reader_error(reader)->code >= 0)) /* no process was chosen */
        source = source_of(&r, name, err);
    else if (nytp_reader_error(reader)->code < 0)
        *err = *nytp_reader_error(reader);
    else
        nytp_fail(err, NYTP_ERR_ARGUMENT,
                  r.lacks_date ? "%s: does not say when it began, so --range needs seconds"
                  : r.has_records && view->of == NYTP_MEMORY_HELD
                      ? "%s: does not say who held memory at that moment: heap_holders=1 records it"
                  : r.has_records ? "%s: has no such moment"
                                  : "%s: has no samples of memory: heap=1 records them",
                  name);
    reading_clear(&r);
    return source;
}

/* ---- over time */

void nytp_memory_history_read(nytp_memory_history *history, nytp_reader *reader,
                              const nytp_filter_options *filters)
{
    const nytp_memory_view live = nytp_memory_view_of(NYTP_MEMORY_LIVE);
    reading r = {.view = &live, .filters = filters, .history = history};
    history->first_process = history->ends_s->len;
    read_streams(&r, reader);
    history->streams = r.views;
    reading_clear(&r);
}

void nytp_memory_history_read_parts(nytp_memory_history *history, nytp_records *parts, nytp_reader *reader,
                                    const nytp_filter_options *filters)
{
    const nytp_memory_view view =
        nytp_memory_view_of(parts == &history->holders ? NYTP_MEMORY_HELD : NYTP_MEMORY_PEAK);
    reading r = {.view = &view, .filters = filters};
    read_streams(&r, reader);
    for (guint i = 0; i < r.processes->len; i++) {
        const nytp_memory_process *process = &g_array_index(r.processes, nytp_memory_process, i);
        if (process->stream != NULL)
            nytp_memory_history_add(history, parts, i, process->stream, &r.named);
    }
    reading_clear(&r);
}
